//! Binds the sockets, serves, and shuts down gracefully.

use crate::{backend::Backend, gate::receive, head_guard::HeadGuard, route::Table};
use actix_http::{HttpService, KeepAlive};
use actix_server::Server;
use actix_service::{ServiceFactoryExt, fn_service, map_config};
use actix_web::{
    App, HttpResponse, HttpServer,
    dev::{AppConfig, ServerHandle},
    http::header::CONTENT_TYPE,
    rt::{self, System, net::TcpStream},
    web::{self, Data},
};
use octavo_core_model::{chore::Queue, consumer::ConsumerName};
use octavo_ports::search::IndexState;
use std::{
    future::{Future, ready},
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    thread,
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// How many connections may wait while every worker is busy.
const BACKLOG_OF_METRICS: u32 = 16;

/// How long a connection may take to close after its last answer was sent.
const DISCONNECT: Duration = Duration::from_secs(2);

/// The addresses of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub address: SocketAddr,
    pub metrics: Option<SocketAddr>,
}

/// Serves the routes of a table on a bound listener until `stop` is done, then lets running calls finish. Calls
/// `announce` with the addresses as soon as it accepts calls.
pub fn serve(
    backend: Arc<Backend>,
    table: Table,
    listener: TcpListener,
    announce: impl FnOnce(Bound),
    stop: impl Future<Output = ()> + 'static,
) -> io::Result<()> {
    System::new().block_on(async move {
        let address = listener.local_addr()?;
        let metrics = backend.settings.metrics.map(|wanted| metrics_server(&backend, wanted)).transpose()?;
        let server = server(&backend, table, listener)?;
        let handle = server.handle();
        let running = rt::spawn(server);
        announce(Bound { address, metrics: metrics.as_ref().map(|(_, address)| *address) });

        stop.await;
        wind_down(&backend, &handle).await;
        if let Some((metrics, _)) = metrics {
            metrics.stop(false).await;
        }
        running.await.map_err(io::Error::other)?
    })
}

/// First reports that the service is stopping, so that load balancers stop sending calls; then stops accepting
/// connections; then waits.
async fn wind_down(backend: &Backend, handle: &ServerHandle) {
    backend.leave();
    sleep(backend.settings.shutdown_delay).await;
    backend.closing.begin();
    let deadline = Instant::now() + backend.settings.shutdown_grace;
    handle.stop(true).await;
    // A call whose client has hung up may still be running.
    if !backend.executor.finished(deadline.saturating_duration_since(Instant::now())).await {
        tracing::warn!("calls were still at work when the time for them was over");
    }
}

fn server(backend: &Arc<Backend>, table: Table, listener: TcpListener) -> io::Result<Server> {
    let address = listener.local_addr()?;
    let timeouts = backend.settings.timeouts;
    let builder = Server::build()
        .disable_signals()
        .workers(thread::available_parallelism().map_or(1, Into::into))
        .shutdown_timeout(whole_seconds(backend.settings.shutdown_grace));
    let leaving = builder.graceful_shutdown_signal();
    let (backend, table) = (Data::from(Arc::clone(backend)), Data::new(table));
    let builder = builder.listen("octavo", listener, move || {
        let app = App::new().app_data(backend.clone()).app_data(table.clone()).default_service(web::to(receive));
        let leaving = leaving.clone();
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let leaving = leaving.clone();
                async move { leaving.notified().await }
            })
            .keep_alive(KeepAlive::Timeout(timeouts.keep_alive))
            // The head guard enforces the timeout for heads: for every request, not only for the first.
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(DISCONNECT)
            .local_addr(address)
            .tcp_nodelay(true)
            .on_connect_ext(|head_guard: &HeadGuard<TcpStream>, data| {
                data.insert(head_guard.connection_state());
            })
            .h1(map_config(app, |()| AppConfig::default()));
        fn_service(move |stream: TcpStream| {
            let peer = stream.peer_addr().ok();
            let _ = stream.set_nodelay(true);
            ready(Ok((HeadGuard::new(stream, timeouts), peer)))
        })
        .and_then(http)
    })?;
    Ok(builder.run())
}

fn whole_seconds(span: Duration) -> u64 {
    span.as_secs() + u64::from(span.subsec_nanos() > 0)
}

/// Metrics have a listener of their own: they are for the operator only and never appear under the origin of the API.
fn metrics_server(backend: &Arc<Backend>, wanted: SocketAddr) -> io::Result<(ServerHandle, SocketAddr)> {
    let backend = Data::from(Arc::clone(backend));
    let server =
        HttpServer::new(move || App::new().app_data(backend.clone()).route("/metrics", web::get().to(show_metrics)))
            .workers(1)
            .backlog(BACKLOG_OF_METRICS)
            .disable_signals()
            .bind(wanted)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot serve metrics on {wanted}: {error}")))?;
    let address = server.addrs().first().copied().unwrap_or(wanted);
    let server = server.run();
    let handle = server.handle();
    rt::spawn(server);
    Ok((handle, address))
}

async fn show_metrics(backend: Data<Backend>) -> HttpResponse {
    let readiness = backend.health.readiness(backend.now(), &backend.executor).await;
    backend.metrics.events_lag(readiness.event_lag.as_secs_f64());
    let (lags, aside) = (readiness.store.consumer_lag_millis, readiness.store.events_set_aside);
    for ((consumer, lag), aside) in ConsumerName::ALL.iter().zip(lags).zip(aside) {
        backend.metrics.consumer(*consumer, Duration::from_millis(lag).as_secs_f64(), aside);
    }
    for (queue, queued) in Queue::ALL.iter().zip(readiness.store.jobs_queued) {
        backend.metrics.jobs_wait(queue.name(), i64::try_from(queued).unwrap_or(i64::MAX));
    }
    if let IndexState::Open { lag } = backend.engine().search_index().state() {
        backend.metrics.search_lag(lag.as_secs_f64());
    }
    backend.metrics.pool_holds("idle", readiness.store.connections_idle.into());
    backend.metrics.pool_holds("used", readiness.store.connections_used.into());
    backend.metrics.content_memory(&backend.content_memory);
    backend.metrics.table_memory(backend.engine().table_bytes());
    backend.metrics.body_memory(&backend.body_memory);
    HttpResponse::Ok().insert_header((CONTENT_TYPE, "text/plain; version=0.0.4")).body(backend.metrics.render())
}
