package dev.sotto.app.view;

import dev.sotto.replay.verify.FieldDifference;
import dev.sotto.replay.verify.FirstDifference;
import dev.sotto.replay.verify.ModelOutcome;
import dev.sotto.replay.verify.VerificationResult;
import dev.sotto.replay.verify.WeightsDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a verification found, in words. */
public final class VerificationText {
  /** Printed above values that have not been published. */
  public static final String WARNING =
      "Replayed values below have NOT been published: keep them inside the trust boundary.";

  private VerificationText() {}

  /** Whether replayed values are shown that were not published. */
  public static boolean isInside(VerificationResult result) {
    return result.first().isPresent();
  }

  /** The result in lines; values in full. */
  public static List<String> lines(VerificationResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(headline(result));
    for (ModelOutcome model : result.models()) {
      lines.add("model " + model.modelId() + ": " + counts(model));
      if (!model.uncovered().isEmpty()) {
        lines.add(line(
            "  rounds %,d to %,d are not covered: %s",
            model.rounds().equal() + 1, model.rounds().published(), model.uncovered()));
      }
      model.difference().ifPresent(each -> difference(lines, each));
    }
    lines.add(line("%,d records replayed in %.1f s", result.events(), result.seconds()));
    return lines;
  }

  private static String headline(VerificationResult result) {
    return switch (result.outcome()) {
      case EQUAL -> "EQUAL: everything that was published came out again, bit for bit";
      case SHORTER ->
        "INCOMPLETE: what came out is equal, bit for bit, but the recording ends before the"
            + " ledger does";
      case UNVERIFIABLE -> "NOT VERIFIED: " + result.reason();
      case DIFFERENT -> {
        ModelOutcome first = result.first().orElseThrow();
        yield line(
            "DIFFERENT: the first round that differs is %,d of model %s",
            first.difference().orElseThrow().round(), first.modelId());
      }
    };
  }

  private static String counts(ModelOutcome model) {
    StringBuilder text = new StringBuilder(line(
        "%,d of %,d published rounds are equal; of %,d published snapshots of these rounds %,d"
            + " were compared byte for byte",
        model.rounds().equal(),
        model.rounds().published(),
        model.versions().published(),
        model.versions().equal()));
    if (model.versions().equal() < model.versions().published()
        && model.difference().isEmpty()) {
      text.append(", the others by their digest in the ledger");
    }
    if (model.equalMetrics() > 0) {
      text.append(line("; %,d records of metrics are equal", model.equalMetrics()));
    }
    if (model.rounds().beyond() > 0) {
      text.append(
          line("; the recording reaches %,d rounds further", model.rounds().beyond()));
    }
    return text.toString();
  }

  private static void difference(List<String> lines, FirstDifference difference) {
    lines.add(line("  round %,d differs in its %s", difference.round(), difference.what()));
    difference.fields().forEach(each -> values(lines, "    ", each));
    difference.weights().ifPresent(each -> weights(lines, each));
  }

  private static void weights(List<String> lines, WeightsDifference weights) {
    if (!weights.sameDimension()) {
      lines.add(line(
          "    weights of version %,d: published %,d, replayed %,d",
          weights.version(),
          weights.dimensions().published(),
          weights.dimensions().replayed()));
    } else if (weights.differing() > 0) {
      lines.add(line(
          "    weights of version %,d: the first that differs is that of coordinate %,d (%,d of"
              + " %,d differ)",
          weights.version(),
          weights.coordinate(),
          weights.differing(),
          weights.dimensions().published()));
      lines.add("      published " + WeightsDifference.text(weights.published()));
      lines.add("      replayed  " + WeightsDifference.text(weights.replayed()));
    } else {
      lines.add(line("    weights of version %,d are equal", weights.version()));
    }
  }

  private static void values(List<String> lines, String indent, FieldDifference field) {
    lines.add(indent + field.name() + ": published " + shown(field.published()) + ", replayed "
        + shown(field.replayed()));
  }

  private static String shown(String value) {
    return value.isEmpty() ? "(nothing)" : value;
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
