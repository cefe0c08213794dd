//! Where traces go.

use overfold_cli::settings::TraceSettings;

#[test]
fn the_standard_variables_say_what_our_own_leave_open() {
    let of = |ours: Option<&str>, variables: &[(&str, &str)]| {
        let settings = TraceSettings { otlp_endpoint: ours.map(str::to_owned), ..TraceSettings::default() };
        let found = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        settings.with_standard_variables(found).map(|it| (it.address(), it.service_name().to_owned()))
    };
    let general = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://general/");
    let traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces/exactly");
    let at = |address: &str, name: &str| Ok((Some(address.to_owned()), name.to_owned()));
    assert_eq!(of(None, &[]), Ok((None, "overfold".to_owned())));
    assert_eq!(of(Some("http://ours"), &[general, traces]), at("http://ours/v1/traces", "overfold"));
    assert_eq!(of(None, &[general, ("OTEL_SERVICE_NAME", "a")]), at("http://general/v1/traces", "a"));
    assert_eq!(of(None, &[general, traces]), at("http://traces/exactly", "overfold"));
    assert_eq!(of(None, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "")]), Ok((None, "overfold".to_owned())));
    let wrong = of(None, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "https://general")]);
    assert!(wrong.is_err_and(|why| why.starts_with("OTEL_EXPORTER_OTLP_ENDPOINT: ")));
}
