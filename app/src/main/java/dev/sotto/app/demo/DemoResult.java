package dev.sotto.app.demo;

import dev.sotto.learner.privacy.Guarantee;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a demo came to.
 *
 * @param rounds closed and committed
 * @param slots filled in those rounds
 * @param emptyByReason slots that a record filled with nothing, by verdict: an unsafe figure, for public data
 * @param guarantee of everything published
 * @param budget the epsilon that may be spent
 * @param privately the last snapshot on the held-out part
 * @param beside what was learned from the same events without Kafka
 * @param learnedPerSecond examples learned and committed a second, between the first and the last round
 */
record DemoResult(
    long rounds,
    long slots,
    Map<String, Long> emptyByReason,
    Guarantee guarantee,
    double budget,
    Evaluation privately,
    Beside beside,
    String snapshotDigest,
    double learnedPerSecond,
    double seconds) {

  /**
   * What was learned beside.
   *
   * @param replayed the same plan with the same key, without Kafka
   * @param byRecord the same budget for each record alone
   * @param withoutPrivacy the same code without noise and clipping
   */
  record Beside(Replay replayed, Replay byRecord, Evaluation withoutPrivacy) {}

  /** Whether the learner in Kafka and the replay without it came to the same bits. */
  boolean replayAgrees() {
    return beside.replayed().digest().equals(snapshotDigest);
  }

  long emptySlots() {
    return emptyByReason.values().stream().mapToLong(each -> each).sum();
  }

  /** For machines; a limit that does not exist is null. */
  Map<String, Object> asJson() {
    Map<String, Object> json = new TreeMap<>();
    json.put("rounds", rounds);
    json.put("slots", slots);
    json.put("emptySlots", emptySlots());
    json.put("emptySlotsByReason", emptyByReason);
    json.put("epsilon", guarantee.epsilon());
    json.put("delta", guarantee.delta());
    json.put("mu", guarantee.mu());
    json.put(
        "epsilonLimit",
        Double.isInfinite(guarantee.epsilonLimit()) ? null : guarantee.epsilonLimit());
    json.put("epsilonBudget", budget);
    json.put("mechanism", guarantee.mechanism());
    json.put("unit", guarantee.unit().configName());
    json.put("adjacency", guarantee.adjacency().configName());
    json.put("auc", privately.auc());
    json.put("aucNonPrivate", beside.withoutPrivacy().auc());
    json.put("logLoss", privately.logLoss());
    json.put("logLossNonPrivate", beside.withoutPrivacy().logLoss());
    json.put("accuracy", privately.accuracy());
    json.put("accuracyNonPrivate", beside.withoutPrivacy().accuracy());
    json.put("aucRecordLevel", beside.byRecord().evaluation().auc());
    json.put("logLossRecordLevel", beside.byRecord().evaluation().logLoss());
    json.put("epsilonRecordLevel", beside.byRecord().last().guarantee().epsilon());
    json.put("replayAgrees", replayAgrees());
    json.put("majority", Math.max(privately.positives(), 1 - privately.positives()));
    json.put("heldOut", privately.events());
    json.put("snapshotDigest", snapshotDigest);
    json.put("examplesPerSecond", learnedPerSecond);
    json.put("seconds", seconds);
    return json;
  }
}
