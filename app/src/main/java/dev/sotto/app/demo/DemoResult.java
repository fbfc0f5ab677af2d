package dev.sotto.app.demo;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a demo.
 *
 * @param last the ledger's entry of the last round
 * @param snapshotDigest of the last snapshot, in hexadecimal digits
 * @param emptyByReason how many slots a record left empty, by its status: exact, so for public data
 *     only
 * @param scores of the last snapshot on the held-out part
 * @param beside what was learned from the same events without Kafka
 */
record DemoResult(
    LedgerEntry last,
    String snapshotDigest,
    Map<String, Long> emptyByReason,
    HeldOutScores scores,
    Beside beside,
    Speed speed) {

  /**
   * Examples learned and committed a second, between the first and the last round; and the whole
   * time.
   */
  record Speed(double examplesPerSecond, double seconds) {}

  /**
   * What was learned beside.
   *
   * @param replayed the same plan with the same key, without Kafka
   * @param byRecord the same budget for each record alone
   * @param withoutPrivacy the best of several trials without noise and clipping, in hindsight
   */
  record Beside(DemoReplay replayed, DemoReplay byRecord, HeldOutScores withoutPrivacy) {}

  Guarantee guarantee() {
    return last.guarantee();
  }

  /** Whether the learner in Kafka and the replay without it came to the same bits. */
  boolean replayAgrees() {
    return beside.replayed().digest().equals(snapshotDigest);
  }

  long emptySlots() {
    return emptyByReason.values().stream().mapToLong(each -> each).sum();
  }

  /** For machines; a limit that does not exist is null. */
  Map<String, Object> json() {
    Map<String, Object> json = new TreeMap<>();
    json.put("rounds", last.round());
    json.put("slots", last.slots());
    json.put("emptySlots", emptySlots());
    json.put("emptySlotsByReason", emptyByReason);
    Guarantee guarantee = guarantee();
    json.put("epsilon", guarantee.epsilon());
    json.put("delta", guarantee.delta());
    json.put("mu", guarantee.mu());
    json.put("epsilonLimit", guarantee.epsilonLimit());
    json.put("epsilonBudget", last.budgetEpsilon());
    json.put("mechanism", guarantee.mechanism());
    json.put("unit", guarantee.unit().configName());
    json.put("adjacency", guarantee.adjacency().configName());
    json.put("auc", scores.auc());
    json.put("aucNonPrivate", beside.withoutPrivacy().auc());
    json.put("logLoss", scores.logLoss());
    json.put("logLossNonPrivate", beside.withoutPrivacy().logLoss());
    json.put("accuracy", scores.accuracy());
    json.put("accuracyNonPrivate", beside.withoutPrivacy().accuracy());
    json.put("aucRecordLevel", beside.byRecord().scores().auc());
    json.put("logLossRecordLevel", beside.byRecord().scores().logLoss());
    json.put("epsilonRecordLevel", beside.byRecord().last().guarantee().epsilon());
    json.put("replayAgrees", replayAgrees());
    json.put("majority", Math.max(scores.positives(), 1 - scores.positives()));
    json.put("heldOut", scores.events());
    json.put("snapshotDigest", snapshotDigest);
    json.put("examplesPerSecond", speed.examplesPerSecond());
    json.put("seconds", speed.seconds());
    return json;
  }
}
