package dev.sotto.app.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What {@code /metrics} of a server says. */
final class ServeMetrics {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Integer, Timer> requests = new ConcurrentHashMap<>();
  private final Counter predictions = Counter.builder("sotto.serve.predictions")
      .description("Events and rows that were scored")
      .register(registry);
  private final Counter unusable = Counter.builder("sotto.serve.unusable")
      .description("Events that could not be scored: a field is missing or of another type")
      .register(registry);

  ServeMetrics(ServedModel model) {
    Gauge.builder(
            "sotto.serve.version",
            model,
            each -> each.current().map(now -> (double) now.version()).orElse(Double.NaN))
        .description("The version that is served")
        .register(registry);
    Gauge.builder(
            "sotto.serve.version.age",
            model,
            each -> each.age().map(age -> age.toMillis() / 1e3).orElse(Double.NaN))
        .description("How long ago it was published")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("sotto.serve.ready", model, each -> each.current().isPresent() ? 1 : 0)
        .description("1 where there is a version to score with")
        .register(registry);
  }

  void answered(int code, long nanos) {
    requests
        .computeIfAbsent(
            code,
            each -> Timer.builder("sotto.serve.requests")
                .description("Requests to score, by the status of their answers")
                .tag("code", Integer.toString(each))
                .register(registry))
        .record(Duration.ofNanos(nanos));
  }

  void scored(int events, int unusableEvents) {
    predictions.increment(events);
    unusable.increment(unusableEvents);
  }

  String scrape() {
    return registry.scrape();
  }
}
