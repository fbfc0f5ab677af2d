package dev.sotto.app.demo;

import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demo learns, and from what.
 *
 * @param plan the demo's
 * @param events those that are learned from, in their order
 * @param heldOut the latest events, which are not learned from
 */
public record DemoCase(
    Plan plan, List<BaseballStream.Event> events, List<BaseballStream.Event> heldOut) {
  /**
   * The demo with these options.
   *
   * @param home the root of the checkout
   * @throws IOException if the recorded stream is missing or not the one that is meant
   */
  public static DemoCase of(Path home, DemoPlan.Options options) throws IOException {
    List<BaseballStream.Event> events = new ArrayList<>();
    BaseballStream.read(BaseballStream.file(home)).forEach(events::add);
    int cut = events.size() * 4 / 5;
    return new DemoCase(
        DemoPlan.of(options, cut), events.subList(0, cut), events.subList(cut, events.size()));
  }

  /** Makes decoders of the events. */
  public EventDecoder decoder() {
    return DemoPlan.decoder();
  }
}
