package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.release.Releaser;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** SHA-256 over every setting of a plan, as lines of text. */
final class PlanFingerprint {
  /** A plan does not change, and is asked for its own at every version of every model. */
  private record Known(WeakReference<Plan> plan, byte[] fingerprint) {}

  private static volatile Known last = new Known(new WeakReference<>(null), new byte[0]);

  private PlanFingerprint() {}

  static byte[] of(Plan plan) {
    Known known = last;
    if (known.plan().get() != plan) {
      known = new Known(new WeakReference<>(plan), computed(plan));
      last = known;
    }
    return known.fingerprint().clone();
  }

  private static byte[] computed(Plan plan) {
    String text = String.join(
        "\n",
        "semantics=" + Releaser.SEMANTICS,
        "features=" + plan.features(),
        "dimension=" + plan.dimension(),
        "loss=" + plan.lossName() + start(plan),
        "algorithm=" + plan.algorithm(),
        "steps=" + plan.steps(),
        "mechanism=" + plan.mechanism().name(),
        "mechanismParameters=" + plan.mechanism().parameters(),
        "clip=" + Double.toHexString(plan.clip()),
        "batch=" + plan.batch(),
        "sigma=" + Double.toHexString(plan.sigma()),
        "adjacency=" + plan.adjacency().configName(),
        "unit=" + plan.unit().configName(),
        "participation=" + plan.participation().describe(),
        "generations=" + plan.generations().describe(),
        "lag=" + plan.lag(),
        "metrics=" + (plan.metrics() == null ? "none" : plan.metrics().describe()),
        "spentMu=" + Double.toHexString(plan.budget().spentMu()),
        "epsilon=" + Double.toHexString(plan.budget().epsilon()),
        "delta=" + Double.toHexString(plan.budget().delta()) + versions(plan) + earlier(plan)
            + candidates(plan) + ranges(plan));
    return Sha256.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Where every round is a version there is no line, as before there were versions. */
  private static String versions(Plan plan) {
    String cut = plan.learning().versions().describe(plan.batch());
    return cut.isEmpty() ? "" : "\nversions=" + cut;
  }

  /** Only of a run that began at another's model. */
  private static String earlier(Plan plan) {
    double mu = plan.budget().earlierMu();
    return mu == 0 ? "" : "\nearlierMu=" + Double.toHexString(mu);
  }

  /** Only of a model that does not learn alone. */
  private static String candidates(Plan plan) {
    Candidates all = plan.candidates();
    return all.number() == 1 ? "" : "\ncandidates=" + all.number() + " " + all.digest();
  }

  /** Only of a plan with numbers whose ranges are known or measured. */
  private static String ranges(Plan plan) {
    return plan.ranges().numbers().isEmpty() ? "" : "\nranges=" + plan.ranges().describe();
  }

  /** Weights other than 0 from which learning starts: the name of a loss need not tell them. */
  private static String start(Plan plan) {
    double[] first = plan.start();
    if (Arrays.stream(first).allMatch(weight -> weight == 0)) {
      return "";
    }
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(8, first.length));
    bytes.asDoubleBuffer().put(first);
    return " start=" + HexFormat.of().formatHex(Sha256.sha256(bytes.array()));
  }
}
