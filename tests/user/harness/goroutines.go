// Goroutines, channels, growing stacks, maps, a recovered panic.
package main

import (
	"fmt"
	"os"
	"sort"
)

//go:noinline
func deep(n int) int {
	var room [64]int
	if n == 0 {
		return 1
	}
	room[n%64] = deep(n - 1)
	return room[n%64] + n
}

//go:noinline
func risky(n int) (result int) {
	defer func() {
		if recover() != nil {
			result = -1
		}
	}()
	values := []int{1, 2, 3}
	return values[n%5]
}

//go:noinline
func work(in <-chan int, out chan<- int) {
	for n := range in {
		out <- deep(n) + risky(n)
	}
	close(out)
}

func main() {
	in, out := make(chan int), make(chan int)
	go work(in, out)
	go func() {
		for n := 0; n < 60; n++ {
			in <- n * 5
		}
		close(in)
	}()
	sums := map[int]int{}
	for value := range out {
		sums[value%7] += value
	}
	keys := []int{}
	for key := range sums {
		keys = append(keys, key)
	}
	sort.Ints(keys)
	total := 0
	for _, key := range keys {
		total = total*31 + sums[key]
	}
	fmt.Println(keys, total)
	os.Exit(total & 31)
}
