package dev.sotto.app.view;

import dev.sotto.learner.description.Section;
import dev.sotto.replay.verify.FieldDifference;
import dev.sotto.replay.verify.FirstDifference;
import dev.sotto.replay.verify.ModelOutcome;
import dev.sotto.replay.verify.VerificationResult;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.replay.verify.WeightsDifference;
import java.util.Locale;

/** What a verification found: docs/verify.md lists the fields. */
public final class VerificationDescription {
  /** Printed above values that have not been published. */
  public static final String WARNING =
      "Replayed values below have NOT been published: keep them inside the trust boundary.";

  private VerificationDescription() {}

  /** Whether replayed values are shown that were not published. */
  public static boolean isInside(VerificationResult result) {
    return result.first().isPresent();
  }

  /** All of it; values in full. */
  public static Section of(VerificationResult result) {
    return Section.untitled()
        .fact("outcome", result.outcome().name().toLowerCase(Locale.ROOT), headline(result))
        .fact("equal", result.outcome() == Outcome.EQUAL)
        .fact("reason", result.reason())
        .fact("insideOnly", isInside(result))
        .fact("events", result.events())
        .fact("seconds", result.seconds())
        .items(
            "models",
            result.models().stream().map(VerificationDescription::model).toList())
        .lines(line("%,d records replayed in %.1f s", result.events(), result.seconds()));
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

  private static Section model(ModelOutcome model) {
    String uncovered = model.uncovered().isEmpty()
        ? ""
        : line(
            "  rounds %,d to %,d are not covered: %s",
            model.rounds().equal() + 1, model.rounds().published(), model.uncovered());
    Section section = Section.untitled()
        .fact("model", model.modelId(), "model " + model.modelId() + ": " + counts(model))
        .fact("publishedRounds", model.rounds().published())
        .fact("equalRounds", model.rounds().equal())
        .fact("roundsBeyond", model.rounds().beyond())
        .fact("publishedSnapshots", model.versions().published())
        .fact("equalSnapshots", model.versions().equal())
        .fact("equalMetrics", model.equalMetrics())
        .fact("uncovered", model.uncovered(), uncovered);
    return model
        .difference()
        .map(each -> section.object("difference", difference(each)))
        .orElseGet(() -> section.fact("difference", null));
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

  private static Section difference(FirstDifference difference) {
    Section section = Section.untitled()
        .fact("round", difference.round())
        .fact(
            "what",
            difference.what(),
            line("  round %,d differs in its %s", difference.round(), difference.what()))
        .items(
            "fields",
            difference.fields().stream().map(VerificationDescription::field).toList());
    return difference
        .weights()
        .map(each -> section.object("weights", weights(each)))
        .orElseGet(() -> section.fact("weights", null));
  }

  private static Section field(FieldDifference field) {
    return Section.untitled()
        .fact("name", field.name())
        .fact("published", field.published())
        .fact(
            "replayed",
            field.replayed(),
            "    " + field.name() + ": published " + shown(field.published()) + ", replayed "
                + shown(field.replayed()));
  }

  private static Section weights(WeightsDifference weights) {
    Section section = Section.untitled()
        .fact("version", weights.version())
        .fact("publishedDimension", weights.dimensions().published())
        .fact("replayedDimension", weights.dimensions().replayed())
        .fact("differing", weights.differing(), compared(weights));
    return weights.differing() == 0
        ? section
        : section
            .fact("coordinate", weights.coordinate())
            .fact(
                "published",
                weights.published(),
                "      published " + WeightsDifference.text(weights.published()))
            .fact(
                "replayed",
                weights.replayed(),
                "      replayed  " + WeightsDifference.text(weights.replayed()))
            .fact("publishedBits", bits(weights.published()))
            .fact("replayedBits", bits(weights.replayed()));
  }

  private static String compared(WeightsDifference weights) {
    if (!weights.sameDimension()) {
      return line(
          "    weights of version %,d: published %,d, replayed %,d",
          weights.version(),
          weights.dimensions().published(),
          weights.dimensions().replayed());
    }
    return weights.differing() == 0
        ? line("    weights of version %,d are equal", weights.version())
        : line(
            "    weights of version %,d: the first that differs is that of coordinate %,d (%,d of"
                + " %,d differ)",
            weights.version(),
            weights.coordinate(),
            weights.differing(),
            weights.dimensions().published());
  }

  private static String bits(double value) {
    return line("%016x", Double.doubleToRawLongBits(value));
  }

  private static String shown(String value) {
    return value.isEmpty() ? "(nothing)" : value;
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
