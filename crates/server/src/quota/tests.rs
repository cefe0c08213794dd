use super::*;

fn quotas(change: impl FnOnce(&mut Settings)) -> Option<Quotas> {
    let mut settings = Settings::for_testing();
    change(&mut settings);
    Quotas::new(&settings, 1000, &Metrics::new(&settings, "unknown", &[], &[]))
}

fn shared(percent: u8) -> Quotas {
    quotas(|settings| {
        settings.callers.caller_share = percent;
        settings.work.concurrency = Some(3);
        settings.work.queue = 2;
        settings.work.max_bodies_bytes = 100_000;
    })
    .unwrap()
}

fn later() -> Instant {
    Instant::now() + Duration::from_hours(1)
}

async fn now_or_never<T>(future: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(Duration::ZERO, future).await.ok()
}

#[test]
fn without_settings_there_are_no_quotas() {
    assert!(quotas(|_| {}).is_none());
    assert!(quotas(|settings| settings.callers.caller_rate = 1).is_some());
    assert!(quotas(|settings| settings.callers.caller_share = 99).is_some());
}

#[tokio::test]
async fn a_caller_holds_its_share_and_others_have_theirs() {
    let quotas = shared(50);
    let (a, b) = (quotas.for_caller(&[1; 32]), quotas.for_caller(&[2; 32]));
    let (first, _second) = (a.place(later()).await.unwrap(), a.place(later()).await.unwrap());
    a.would_admit().unwrap();
    let mut third = Box::pin(a.place(later()));
    assert!(now_or_never(&mut third).await.is_none());
    assert_eq!(a.would_admit().unwrap_err().kind, kind::CALLER_SHARE);
    let fourth = a.place(later()).await.unwrap_err();
    assert_eq!((fourth.kind, fourth.retry_after), (kind::CALLER_SHARE, Some(1)));
    assert!(b.place(later()).await.is_ok());
    drop(first);
    let third = now_or_never(third).await.unwrap().unwrap();
    // One that gives up no longer waits, and neither does one that has waited for as long as it may.
    drop(Box::pin(a.place(later())));
    assert!(a.place(Instant::now()).await.is_err());
    let mut next = Box::pin(a.place(later()));
    assert!(now_or_never(&mut next).await.is_none());
    drop(third);
    assert!(now_or_never(next).await.unwrap().is_ok());
}

#[tokio::test]
async fn bulk_work_waits_and_leaves_a_place() {
    let quotas = shared(50);
    let quota = quotas.for_caller(&[1; 32]);
    let bulk = quota.bulk_place(later()).await.unwrap();
    let mut more: Vec<_> = (0..10).map(|_| Box::pin(quota.bulk_place(later()))).collect();
    for waiting in &mut more {
        assert!(now_or_never(waiting).await.is_none());
    }
    let single = quota.place(later()).await.unwrap();
    drop(bulk);
    assert!(now_or_never(more.remove(0)).await.unwrap().is_ok());
    drop(single);
    assert_eq!(quota.bulk_place(Instant::now()).await.unwrap_err().kind, kind::CALLER_SHARE);
}

#[test]
fn bodies_count_and_one_request_always_fits() {
    let quotas = shared(1);
    let quota = quotas.for_caller(&[1; 32]);
    assert!(quota.grow(600) && quota.grow(400) && !quota.grow(1));
    quota.shrink(1);
    assert!(quota.grow(1) && !quota.grow(u64::MAX));
    assert!(shared(50).for_caller(&[1; 32]).grow(50_000));
}

#[test]
fn the_table_is_bounded() {
    let quotas = quotas(|settings| settings.callers.caller_rate = 1).unwrap();
    let start = Instant::now();
    let key = |number: u8| [number; 32];
    let (a, b) = (quotas.find(&key(1), 2, start), quotas.find(&key(2), 2, start));
    assert!(Arc::ptr_eq(&quotas.find(&key(1), 2, start).0, &a.0));
    let (c, d) = (quotas.find(&key(3), 2, start), quotas.find(&key(4), 2, start));
    assert!(Arc::ptr_eq(&c.0, &d.0) && !Arc::ptr_eq(&a.0, &c.0), "strangers share one");
    a.count().unwrap();
    drop((a, b));
    // The second one is not in use; the first one has asked lately.
    let soon = start + SWEEP_EVERY;
    let next = quotas.find(&key(5), 2, soon);
    assert!(!Arc::ptr_eq(&next.0, &c.0));
    assert!(Arc::ptr_eq(&quotas.find(&key(6), 2, soon + SWEEP_EVERY / 2).0, &c.0));
    // After a while the first one is forgotten, too.
    assert!(!Arc::ptr_eq(&quotas.find(&key(6), 2, soon + Duration::from_hours(1)).0, &c.0));
    assert_eq!(quotas.table.lock().unwrap().quotas.len(), 2);
}

#[tokio::test]
async fn a_rate_is_for_each_caller() {
    let quotas = quotas(|settings| {
        settings.callers.caller_rate = 1;
        settings.callers.caller_burst = Some(3);
    })
    .unwrap();
    let (a, b) = (quotas.for_caller(&[1; 32]), quotas.for_caller(&[2; 32]));
    for _ in 0..3 {
        a.count().unwrap();
    }
    let refused = a.count().unwrap_err();
    assert_eq!((refused.kind, refused.retry_after), (kind::CALLER_RATE, Some(1)));
    b.count().unwrap();
    assert!(now_or_never(a.count_bulk()).await.is_none());
    assert!(
        now_or_never(shared(50).for_caller(&[1; 32]).count_bulk()).await.is_some(),
        "without a rate nothing waits"
    );
}
