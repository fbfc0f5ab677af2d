package dev.sotto.app.http;

import io.micrometer.core.instrument.Gauge;
import java.util.function.Supplier;

/** Breaks the rule that nothing but a learner's view is registered. */
public final class HttpRegistry {
  private HttpRegistry() {}

  /** Registers one more gauge with an endpoint's metrics. */
  public static void gauge(HttpEndpoint endpoint, String name, Supplier<Number> value) {
    Gauge.builder(name, value).strongReference(true).register(endpoint.metrics().registry());
  }
}
