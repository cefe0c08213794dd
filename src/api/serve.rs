//! Running the service: listen, answer, leave in good order.

use std::io;
use std::time::Duration;

use tokio::net::TcpListener;

use super::router::router;
use super::state::AppState;
use crate::settings::Settings;

/// Serves until SIGTERM or SIGINT: then `/readyz` says no, requests under way are finished, and this returns.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn serve(settings: Settings) -> io::Result<()> {
    let listener = TcpListener::bind(settings.listen.listen).await?;
    let drain = Duration::from_secs(settings.listen.drain_seconds);
    let patience = settings.work.timeout();
    let state = AppState::new(settings);
    let address = listener.local_addr()?;
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");
    let (closing, mut closed) = tokio::sync::watch::channel(false);
    let app = router(&state);
    let leave = async move {
        asked_to_stop().await;
        tracing::info!(seconds = drain.as_secs(), "stopping: not ready any more");
        state.start_draining();
        tokio::time::sleep(drain).await;
        closing.send_replace(true);
    };
    let server = axum::serve(listener, app).with_graceful_shutdown(leave);
    let overdue = async move {
        if closed.wait_for(|closing| *closing).await.is_ok() {
            tokio::time::sleep(patience).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        result = server => result?,
        () = overdue => tracing::warn!("stopping with requests under way: they took too long"),
    }
    tracing::info!("stopped");
    Ok(())
}

async fn asked_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            let _ = interrupt.await;
            return;
        };
        tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
    }
    #[cfg(not(unix))]
    {
        let _ = interrupt.await;
    }
}
