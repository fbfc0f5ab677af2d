package dev.sotto.app.demo;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.training.ClosedVersion;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a plan learns from the demo's events without Kafka, and how many slots its contribution
 * bound leaves empty: a count that a replay does not give, since it depends on private data
 * elsewhere.
 *
 * @param digest of the last snapshot, in hexadecimal; the same as the learner in Kafka publishes
 * @param notAdmitted slots of published versions that were left empty since their unit's bound was
 *     reached
 */
record DemoReplay(HeldOutScores scores, ClosedVersion last, String digest, long notAdmitted) {
  /** Times that a plan without privacy goes over all events. */
  static final int PASSES = 3;

  /**
   * The best that plans give over one pass and over {@link #PASSES}, by the very figures that are
   * shown: nothing private may be chosen so.
   */
  static HeldOutScores inHindsight(List<Plan> plans, NoiseKey key, String label, DemoCase once) {
    List<BaseballStream.Event> often = new ArrayList<>();
    for (int i = 0; i < PASSES; i++) {
      often.addAll(once.events());
    }
    DemoCase again = new DemoCase(once.plan(), often, once.heldOut());
    return plans.stream()
        .flatMap(plan -> Stream.of(once, again).map(events -> of(plan, key, label, events)))
        .map(DemoReplay::scores)
        .min(Comparator.comparingDouble(HeldOutScores::logLoss))
        .orElseThrow();
  }

  static DemoReplay of(Plan plan, NoiseKey key, String label, DemoCase events) {
    RunName name = new RunName(Demo.APP, label);
    ModelLearner learner =
        ModelLearner.start(plan, ModelKeys.of(key), Demo.MODEL, name, new InMemoryHistories());
    EventDecoder decoder = DemoPlan.decoder();
    Slot slot = new Slot(plan.inputs());
    ClosedVersion last = null;
    long refused = 0;
    long refusedInOpenVersion = 0;
    for (BaseballStream.Event event : events.events()) {
      decoder.decode(event.key(), event.value(), slot);
      boolean full = learner.fill(slot);
      refusedInOpenVersion += slot.status() == RecordStatus.NOT_ADMITTED ? 1 : 0;
      if (full) {
        Optional<ClosedVersion> ended = learner.close().version();
        if (ended.isPresent()) {
          last = ended.get();
          refused += refusedInOpenVersion;
          refusedInOpenVersion = 0;
        }
      }
    }
    HeldOutScores scores = HeldOutScores.of(last.weights(), plan.loss(), decoder, events.heldOut());
    byte[] digest = ModelSnapshot.digest(last.weights(), last.guarantee());
    return new DemoReplay(scores, last, HexFormat.of().formatHex(digest), refused);
  }
}
