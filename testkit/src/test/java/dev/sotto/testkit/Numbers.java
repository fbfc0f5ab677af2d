package dev.sotto.testkit;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventDecoderProvider;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads texts like "0.5 1", a feature and a label; told to, it scales by the largest feature seen
 * so far.
 */
public final class Numbers implements EventDecoderProvider {
  @Override
  public String name() {
    return "numbers";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public EventDecoder create(Map<String, String> parameters) {
    boolean remembers = Boolean.parseBoolean(parameters.get("remembers"));
    return new EventDecoder() {
      private double largest = 1;

      @Override
      public int dimension() {
        return 2;
      }

      @Override
      public RecordStatus decode(byte[] key, byte[] value, Slot into) {
        String[] fields = new String(value, StandardCharsets.UTF_8).split(" ");
        double x = Double.parseDouble(fields[0]);
        largest = remembers ? Math.max(largest, x) : largest;
        into.example().add(0, 1);
        into.example().add(1, x / largest);
        into.example().label(Double.parseDouble(fields[1]));
        return RecordStatus.USED;
      }
    };
  }
}
