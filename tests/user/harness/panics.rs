// Panics that are caught, with values dropped on the way.
use std::panic;

struct Guard(u32);
impl Drop for Guard {
    fn drop(&mut self) {
        print!("{} ", self.0);
    }
}

#[inline(never)]
fn inner(n: u32) -> u32 {
    let _guard = Guard(n);
    if n % 3 == 0 {
        panic!("three");
    }
    n * 2
}

#[inline(never)]
fn outer(n: u32) -> u32 {
    panic::catch_unwind(|| inner(n)).unwrap_or(1000)
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let mut sum = 0u32;
    let mut words: Vec<String> = Vec::new();
    for n in 0..30 {
        sum = sum.wrapping_mul(31).wrapping_add(outer(n));
        words.push(format!("{:x}", sum));
    }
    words.sort();
    println!("{} {}", sum, words.join(","));
    std::process::exit((sum & 31) as i32);
}
