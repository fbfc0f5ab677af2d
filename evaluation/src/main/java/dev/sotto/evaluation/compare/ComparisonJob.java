package dev.sotto.evaluation.compare;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.slf4j.LoggerFactory;

/** One run: a learner over the whole recording. */
final class ComparisonJob {
  private static final OutputListener DISCARD = new OutputListener() {};

  private final String name;
  private final RunRole role;
  private final LearnerSettings settings;

  ComparisonJob(String name, RunRole role, LearnerSettings settings) {
    this.name = name;
    this.role = role;
    this.settings = settings;
  }

  LearnerSettings settings() {
    return settings;
  }

  /** Runs the learner. A failure becomes the outcome, so that the other runs go on. */
  ComparisonRun run(Recording recording, long seed, long limit, LongConsumer progress) {
    try {
      return new ComparisonRun(name, role, replay(recording, seed, limit, progress));
    } catch (SottoException known) {
      return new ComparisonRun(name, role, failed(known));
    } catch (RuntimeException unexpected) {
      LoggerFactory.getLogger(ComparisonJob.class).warn("run {} failed", name, unexpected);
      return new ComparisonRun(name, role, failed(unexpected));
    }
  }

  /** Why no record was scored. */
  private String whyNothing(Replay.Result result) {
    if (result.events() > 0 && result.deadLetters() == result.events()) {
      return result.noneUsable();
    }
    long window = settings.plan().ranges().rounds() * settings.plan().batch();
    return "none of the " + FigureFormat.counted(result.events(), "record")
        + " that were read can be scored"
        + (settings.plan().ranges().numbers().ofLabel()
            ? ": the first " + FigureFormat.counted(window, "slot")
                + " of a model measure the range of the label, and nothing is predicted before;"
                + " give more records, or label.min and label.max"
            : ": they hold no event, or no label has come");
  }

  /** The outcome that stands for an exception. */
  static RunOutcome.Failed failed(RuntimeException failure) {
    if (failure instanceof SottoException known) {
      return new RunOutcome.Failed(known.kind(), known.getMessage());
    }
    return new RunOutcome.Failed(FailureKind.UNEXPECTED, failure.toString());
  }

  private RunOutcome replay(Recording recording, long seed, long limit, LongConsumer progress) {
    ThinnedCurve curve = new ThinnedCurve();
    ProgressiveScores scores = new ProgressiveScores(ThinnedCurve.EVERY, curve::add);
    Replay.Result result = new Replay(settings, recording)
        .seed(seed)
        .limit(limit == 0 ? Long.MAX_VALUE : limit)
        .progress(progress)
        .scored(scores)
        .run(DISCARD);
    List<CurvePoint> points =
        atEnd(curve.curve(), result).stream().map(this::withEpsilon).toList();
    if (points.isEmpty() || points.get(points.size() - 1).examples() == 0) {
      return new RunOutcome.Failed(FailureKind.RECORDING, whyNothing(result));
    }
    return new RunOutcome.Finished(
        new RunOutcome.ScoredLoss(
            settings.plan().lossName(),
            scores.hindsight().auc(),
            scores.point().baseRateLoss(),
            scores.hindsight().constantLoss(),
            scores.hindsight().contributed()),
        result.rounds(),
        settings.plan().budget().delta(),
        result.seconds(),
        digest(result.newest()),
        points);
  }

  /** Versions may be published behind the last example: what the run has cost is known then. */
  private static List<CurvePoint> atEnd(List<CurvePoint> points, Replay.Result result) {
    if (points.isEmpty()) {
      return points;
    }
    List<CurvePoint> all = new ArrayList<>(points);
    CurvePoint last = all.remove(all.size() - 1);
    all.add(new CurvePoint(
        last.examples(),
        result.rounds(),
        result.epsilon(),
        last.loss(),
        last.recentLoss(),
        last.accuracy()));
    return all;
  }

  /** A reference has no guarantee, whatever its ledger says. */
  private CurvePoint withEpsilon(CurvePoint point) {
    return role == RunRole.CONFIGURED
        ? point
        : new CurvePoint(
            point.examples(),
            point.rounds(),
            Double.POSITIVE_INFINITY,
            point.loss(),
            point.recentLoss(),
            point.accuracy());
  }

  /** The digest of the last snapshot; of several models one over all, in the order of their ids. */
  private static String digest(Map<String, LedgerEntry> newest) {
    if (newest.size() == 1) {
      return HexFormat.of().formatHex(newest.values().iterator().next().snapshotDigest());
    }
    MessageDigest all = Sha256.digest();
    newest.forEach((id, entry) -> {
      all.update(id.getBytes(StandardCharsets.UTF_8));
      all.update((byte) 0);
      all.update(entry.snapshotDigest());
    });
    return newest.isEmpty() ? "" : HexFormat.of().formatHex(all.digest());
  }
}
