use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let moves: u64 = args[1].parse().unwrap();
    let seeds: u64 = args[2].parse().unwrap();
    for path in args[3..].iter().filter(|p| *p != "/dev/null") {
        let inst = planner::Instance::from_json(&std::fs::read_to_string(path).unwrap()).unwrap();
        let (mut best, mut sum, mut worst) = (f64::MAX, 0.0, 0.0f64);
        let mut wall = f64::MAX; let mut ev = 0;
        for seed in 0..seeds {
            let t = Instant::now();
            let (r, e) = planner::trial(&inst, moves, seed + 1);
            wall = wall.min(t.elapsed().as_secs_f64()); ev = e;
            let s = planner::score::score(&inst, &r);
            assert!(s.breaches.is_empty());
            let c = s.cost() as f64 / 60000.0;
            if std::env::args().any(|a| a == "/dev/null") { println!("{:?}", s.terms.named().map(|(n, v)| format!("{n}={:.0}", v as f64 / 6e4)).join(" ")); }
            best = best.min(c); sum += c; worst = worst.max(c);
        }
        println!("{:30} best {:9.2} mean {:9.2} worst {:9.2} wall {:.3} ev {:.2}M/s(2 cores)", inst.name, best, sum / seeds as f64, worst, wall, ev as f64 / wall / 1e6);
    }
}
