use dossier_generation::Generator;
use expensive_ai::State;
use generations::Generations;
use http_service::Middleware;
use jobs::Queue;
use objects::Objects;
use screening_results::CompanyScreenings;
use store::{Registry, Tenants};
use text_model::TextModel;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process handles one request at a time and has less than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws::load().await;
    let tables = store::client(&aws);
    let middleware = Middleware::from_env(&aws, tables.clone()).await;
    let objects = Objects::from_env(objects::client(&aws));
    let state = State {
        registry: Registry::from_env(tables.clone()),
        generations: Generations::from_env(objects.clone()),
        screened: CompanyScreenings::new(objects),
        generator: Generator {
            tenants: Tenants::from_env(tables),
            model: TextModel::from_env(&aws),
        },
        jobs: Queue::from_env(jobs::client(&aws)),
        clock: middleware.clock.clone(),
    };
    http_service::serve(middleware, expensive_ai::api(state)).await
}
