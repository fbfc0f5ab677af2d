package dev.sotto.app.scoring;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.training.ModelSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Headers of a prediction, all of them text: which version predicted it, what that promises, and
 * which event it is about. Those of the same names that an event has are replaced.
 */
final class VersionHeaders {
  private final Map<String, byte[]> fixed = new LinkedHashMap<>();

  VersionHeaders(ModelSnapshot version) {
    Guarantee guarantee = version.guarantee();
    add("model", version.modelId());
    add("run", HexFormat.of().formatHex(version.runId()));
    add("version", Long.toString(version.version()));
    add("epsilon", Double.toString(guarantee.epsilon()));
    add("delta", Double.toString(guarantee.delta()));
    add("unit", guarantee.unit().configName());
  }

  private void add(String name, String value) {
    fixed.put("sotto." + name, value.getBytes(StandardCharsets.UTF_8));
  }

  void addTo(Headers headers, RecordMetadata event) {
    fixed.forEach((name, value) -> put(headers, name, value));
    put(headers, "sotto.topic", text(event.topic()));
    put(headers, "sotto.partition", text(Integer.toString(event.partition())));
    put(headers, "sotto.offset", text(Long.toString(event.offset())));
  }

  private static void put(Headers headers, String name, byte[] value) {
    headers.remove(name).add(name, value);
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
