package dev.sotto.topology.settings;

import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Makes the decoders by which a learner's models read events.
 *
 * @param makers each makes one decoder; one for each candidate
 */
record ModelDecoders(CandidateModels candidates, List<Supplier<EventDecoder>> makers) {
  /** One more for each candidate. */
  List<EventDecoder> all() {
    return IntStream.range(0, candidates.number()).mapToObj(this::of).toList();
  }

  /** One more, as a candidate reads events; it logs where an event's value is at fault. */
  EventDecoder of(int candidate) {
    return new LoggingDecoder(admitting(candidate));
  }

  /** A label that the plan's objective does not admit is of the wrong type. */
  private EventDecoder admitting(int candidate) {
    Plan plan = candidates.all().get(candidate).plan();
    return WatchedLabels.of(makers.get(candidate).get().admittedBy(plan.objective()));
  }

  /** Makers of others, which decode every event as these do. */
  List<Supplier<EventDecoder>> replacedBy(
      BiFunction<CandidateModels.One, EventDecoder, EventDecoder> other) {
    return IntStream.range(0, candidates.number())
        .<Supplier<EventDecoder>>mapToObj(
            which -> () -> other.apply(candidates.all().get(which), admitting(which)))
        .toList();
  }
}
