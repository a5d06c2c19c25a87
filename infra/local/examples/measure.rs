use std::time::Instant;
#[tokio::main]
async fn main() {
    let count: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let cloud = local::cloud::Cloud::in_memory().await.map_err(|it| it.to_string()).unwrap();
    let started = Instant::now();
    local::register::load_demo(&cloud, count).await.map_err(|it| it.to_string()).unwrap();
    println!("{count} loaded in {:?}", started.elapsed());
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = text.rsplit(')').next().unwrap().split(' ').collect();
    println!("user {} sys {} (1/100 s)", f[12], f[13]);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("{}", status.lines().find(|it| it.starts_with("VmHWM")).unwrap());
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        let t = task.unwrap().path();
        let ns: f64 = std::fs::read_to_string(t.join("schedstat")).unwrap().split(' ').next().unwrap().parse().unwrap();
        if ns > 1e8 { println!("{} {:.1} s", std::fs::read_to_string(t.join("comm")).unwrap().trim(), ns/1e9); }
    }
}
