package dev.sotto.app.demo;

import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.event.EventDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the demo learns, and from what, for those who need no broker.
 *
 * @param plan the demo's
 * @param decoder makes decoders of its events
 * @param events those that are learned from, in their order
 */
public record DemoCase(Plan plan, Supplier<EventDecoder> decoder, List<StreamEvent> events) {
  /**
   * The demo with these options.
   *
   * @param home the root of the checkout
   * @throws IOException if the recorded stream is missing or not the one that is meant
   */
  public static DemoCase of(
      Path home, Optimizers algorithm, Mechanisms mechanism, Budget budget, PrivacyUnit unit)
      throws IOException {
    List<StreamEvent> events = new ArrayList<>();
    BaseballStream.read(BaseballStream.file(home)).forEach(events::add);
    List<StreamEvent> toLearn = List.copyOf(events.subList(0, events.size() * 4 / 5));
    Plan plan = DemoPlan.of(algorithm, mechanism, budget, unit, toLearn.size());
    return new DemoCase(plan, DemoPlan::decoder, toLearn);
  }
}
