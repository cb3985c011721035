# A probe in code that BPF programs run through themselves does no harm, and the hits
# that the kernel does not give to programs are told, so that counts add up.
offset=$(kinst -l -n 'kinst::__htab_map_lookup_elem:' | awk '$2 == "kinst" && ++count == 2 { print $NF }')
other=$(kinst -l -n 'kinst::vfs_read:' | awk '$2 == "kinst" && ++count == 2 { print $NF }')
reads=200
kinst -q -n "kinst::__htab_map_lookup_elem:$offset { @lookups = count(); }
  kinst::vfs_read:$other /pid == \$target/ { self->x = 1; self->y[self->x] = self->x; @reads = count(); }
  END { printa(\"reads %@d\n\", @reads); printa(\"lookups %@d\n\", @lookups); }" \
  -c "dd if=/dev/zero of=/dev/null bs=1 count=$reads" > /tmp/out 2> /tmp/told ||
  fail "kinst: $(cat /tmp/told)"
[ "$(awk '/reads/ { print $2 }' /tmp/out)" -ge $reads ] || fail "too few reads: $(cat /tmp/out)"
missed=$(awk '/hits of probes were missed/ { print $2 }' /tmp/told)
[ "${missed:-0}" -ge $reads ] || fail "no word of the missed hits: $(cat /tmp/told)"
