package dev.sotto.app.demo;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.ModelSnapshot;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
import dev.sotto.learner.unit.HeapHistories;
import dev.sotto.serdes.event.EventDecoder;
import java.util.HexFormat;
import java.util.List;

/**
 * What a plan learns from the demo's events without Kafka. Counts of slots by verdict tell of the data: for public data
 * only.
 *
 * @param digest of the last snapshot, in hexadecimal; the same as the learner in Kafka publishes
 * @param notAdmitted slots of full rounds that were left empty since their unit's bound was reached
 */
record Replay(Evaluation evaluation, Round last, String digest, long notAdmitted) {
  static Replay of(
      Plan plan,
      NoiseKey key,
      String model,
      String label,
      List<StreamEvent> toLearn,
      List<StreamEvent> heldOut) {
    ModelLearner learner = ModelLearner.start(plan, key, model, label, new HeapHistories());
    EventDecoder decoder = DemoPlan.decoder();
    Slot slot = new Slot(plan.inputs());
    Round last = null;
    long refused = 0;
    long refusedInOpenRound = 0;
    for (StreamEvent event : toLearn) {
      decoder.decode(event.key(), event.value(), slot);
      boolean full = learner.fill(slot);
      refusedInOpenRound += slot.verdict() == Verdict.NOT_ADMITTED ? 1 : 0;
      if (full) {
        last = learner.close();
        refused += refusedInOpenRound;
        refusedInOpenRound = 0;
      }
    }
    Evaluation evaluation = Evaluation.of(learner.weights(), plan.loss(), decoder, heldOut);
    byte[] digest = ModelSnapshot.digest(last.weights(), last.guarantee());
    return new Replay(evaluation, last, HexFormat.of().formatHex(digest), refused);
  }
}
