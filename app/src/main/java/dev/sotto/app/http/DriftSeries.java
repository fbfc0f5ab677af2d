package dev.sotto.app.http;

import dev.sotto.learner.monitoring.Drift;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The drift alarm of each model in Prometheus' text format. It is made of published metrics, which
 * are paid for, and of nothing else.
 */
final class DriftSeries {
  private final Supplier<? extends Map<String, Drift>> drifts;
  private final Map<MultiGauge, Function<Drift, Number>> gauges = new LinkedHashMap<>();

  DriftSeries(MeterRegistry registry, Supplier<? extends Map<String, Drift>> drifts) {
    this.drifts = drifts;
    gauge(
        registry,
        "sotto.drift.alarm",
        "1 where the loss has risen beyond the threshold.",
        drift -> drift.isAlarm() ? 1 : 0);
    gauge(
        registry,
        "sotto.drift.rise",
        "By how much the newest mean loss lies above that of windows before.",
        Drift::rise);
    gauge(
        registry,
        "sotto.drift.threshold",
        "A rise of the loss above this is an alarm.",
        Drift::threshold);
    gauge(
        registry,
        "sotto.drift.since.round",
        "The first round of the window with which the alarm began; 0 without an alarm.",
        drift -> drift.since().orElse(0));
    gauge(registry, "sotto.drift.round", "The last round of the newest window.", Drift::round);
  }

  private void gauge(
      MeterRegistry registry, String name, String help, Function<Drift, Number> value) {
    gauges.put(MultiGauge.builder(name).description(help).register(registry), value);
  }

  void update() {
    Map<String, Drift> now = Map.copyOf(drifts.get());
    gauges.forEach((gauge, value) -> gauge.register(
        now.entrySet().stream()
            .<Row<?>>map(
                each -> Row.of(Tags.of("model", each.getKey()), value.apply(each.getValue())))
            .toList(),
        true));
  }
}
