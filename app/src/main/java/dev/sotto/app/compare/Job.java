package dev.sotto.app.compare;

import dev.sotto.app.config.ConfigFailure;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.replay.Progressive;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.StartFailure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.slf4j.LoggerFactory;

/** One run: a learner over the whole recording. */
final class Job {
  private static final Outputs NOWHERE = new Outputs() {};

  private final String name;
  private final Role role;
  private final LearnerSettings settings;

  Job(String name, Role role, LearnerSettings settings) {
    this.name = name;
    this.role = role;
    this.settings = settings;
  }

  LearnerSettings settings() {
    return settings;
  }

  /** Never throws but for errors of the machine: one failure hides no other run. */
  Run run(Recording recording, long seed, long limit, LongConsumer progress) {
    try {
      return new Run(name, role, replay(recording, seed, limit, progress));
    } catch (StartFailure | ConfigFailure known) {
      return new Run(name, role, failed(known));
    } catch (RuntimeException unforeseen) {
      LoggerFactory.getLogger(Job.class).warn("run {} failed", name, unforeseen);
      return new Run(name, role, failed(unforeseen));
    }
  }

  /** What a failure amounts to. */
  static Outcome.Failed failed(RuntimeException failure) {
    if (failure instanceof StartFailure known) {
      return new Outcome.Failed(known.exitCode(), known.getMessage());
    }
    return failure instanceof ConfigFailure
        ? new Outcome.Failed(ExitCode.CONFIGURATION, failure.getMessage())
        : new Outcome.Failed(ExitCode.UNEXPECTED, failure.toString());
  }

  private Outcome replay(Recording recording, long seed, long limit, LongConsumer progress) {
    Thinned curve = new Thinned();
    Replay.Result result = new Replay(settings, recording)
        .seed(seed)
        .limit(limit == 0 ? Long.MAX_VALUE : limit)
        .progress(progress)
        .scored(new Progressive(Thinned.EVERY, curve::add))
        .run(NOWHERE);
    List<CurvePoint> points = curve.curve().stream().map(this::priced).toList();
    if (points.isEmpty() || points.get(points.size() - 1).examples() == 0) {
      return new Outcome.Failed(
          ExitCode.RECORDING,
          "none of the " + result.events()
              + " records that were read can be used under this configuration: "
              + result.deadLetters()
              + " were set aside; check events.format, features, label and unit");
    }
    CurvePoint end = points.get(points.size() - 1);
    return new Outcome.Finished(
        settings.plan().lossName(),
        end.examples(),
        result.rounds(),
        end.epsilon(),
        settings.plan().budget().delta(),
        end.loss(),
        end.recentLoss(),
        end.accuracy(),
        result.seconds(),
        digest(result.newest()),
        points);
  }

  /** What a reference says of its cost means nothing. */
  private CurvePoint priced(CurvePoint point) {
    return role == Role.CONFIGURED
        ? point
        : new CurvePoint(
            point.examples(),
            point.rounds(),
            Double.POSITIVE_INFINITY,
            point.loss(),
            point.recentLoss(),
            point.accuracy());
  }

  /** Of one model its last snapshot's; of several that of all of theirs, in the order of their ids. */
  private static String digest(Map<String, LedgerEntry> newest) {
    if (newest.size() == 1) {
      return HexFormat.of().formatHex(newest.values().iterator().next().snapshotDigest());
    }
    try {
      MessageDigest all = MessageDigest.getInstance("SHA-256");
      newest.forEach((id, entry) -> {
        all.update(id.getBytes(StandardCharsets.UTF_8));
        all.update((byte) 0);
        all.update(entry.snapshotDigest());
      });
      return newest.isEmpty() ? "" : HexFormat.of().formatHex(all.digest());
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
