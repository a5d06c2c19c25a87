fn main() {
    let t = std::env::args().nth(1).expect("text");
    let n = gazette_notice::read(&t);
    for e in &n.entries {
        println!("{e:#?}");
    }
    println!("{:?} prose={} unsure={}", n.changes, n.has_prose, n.unsure);
}
