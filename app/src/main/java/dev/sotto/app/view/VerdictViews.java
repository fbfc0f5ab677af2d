package dev.sotto.app.view;

import dev.sotto.replay.verify.Cause;
import dev.sotto.replay.verify.Difference;
import dev.sotto.replay.verify.FieldDifference;
import dev.sotto.replay.verify.ModelVerdict;
import dev.sotto.replay.verify.Verdict;
import dev.sotto.replay.verify.Verdict.Outcome;
import dev.sotto.replay.verify.WeightsDifference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a verification found, for people and as a map for JSON. */
public final class VerdictViews {
  /** What stands above values that nobody has published. */
  public static final String WARNING =
      "Replayed values below have NOT been published: keep them inside the trust boundary.";

  private VerdictViews() {}

  /** Whether replayed values are shown that were not published. */
  public static boolean isInside(Verdict verdict) {
    return verdict.first().isPresent();
  }

  /** The verdict in lines; values in full. */
  public static List<String> lines(Verdict verdict) {
    List<String> lines = new ArrayList<>();
    lines.add(headline(verdict));
    for (ModelVerdict model : verdict.models()) {
      lines.add("model " + model.modelId() + ": " + counts(model));
      if (!model.uncovered().isEmpty()) {
        lines.add(line(
            "  rounds %,d to %,d are not covered: %s",
            model.equal() + 1, model.published(), model.uncovered()));
      }
      model.difference().ifPresent(each -> difference(lines, each));
    }
    lines.add(line("%,d records replayed in %.1f s", verdict.events(), verdict.seconds()));
    return lines;
  }

  private static String headline(Verdict verdict) {
    return switch (verdict.outcome()) {
      case EQUAL -> "EQUAL: everything that was published came out again, bit for bit";
      case SHORTER ->
        "INCOMPLETE: what came out is equal, bit for bit, but the recording ends before the ledger does";
      case UNVERIFIABLE -> "NOT VERIFIED: " + verdict.reason();
      case DIFFERENT -> {
        ModelVerdict first = verdict.first().orElseThrow();
        yield line(
            "DIFFERENT: the first round that differs is %,d of model %s",
            first.difference().orElseThrow().round(), first.modelId());
      }
    };
  }

  private static String counts(ModelVerdict model) {
    StringBuilder text = new StringBuilder(line(
        "%,d of %,d published rounds are equal; of %,d published snapshots of these rounds %,d were compared byte for"
            + " byte",
        model.equal(), model.published(), model.versions(), model.equalVersions()));
    if (model.equalVersions() < model.versions() && model.difference().isEmpty()) {
      text.append(", the others by their digest in the ledger");
    }
    if (model.metrics() > 0) {
      text.append(line("; %,d records of metrics are equal", model.metrics()));
    }
    if (model.beyond() > 0) {
      text.append(line("; the recording reaches %,d rounds further", model.beyond()));
    }
    return text.toString();
  }

  private static void difference(List<String> lines, Difference difference) {
    lines.add(line("  round %,d differs in its %s", difference.round(), difference.what()));
    difference.fields().forEach(each -> values(lines, "    ", each));
    difference.weights().ifPresent(each -> weights(lines, each));
    lines.add("  why");
    for (Cause cause : difference.causes()) {
      lines.add("    " + name(cause.kind()) + ": " + cause.text());
      cause.values().forEach(each -> values(lines, "      ", each));
    }
  }

  private static void weights(List<String> lines, WeightsDifference weights) {
    if (!weights.sameDimension()) {
      lines.add(line(
          "    weights of version %,d: published %,d, replayed %,d",
          weights.version(), weights.publishedDimension(), weights.replayedDimension()));
    } else if (weights.differing() > 0) {
      lines.add(line(
          "    weights of version %,d: the first that differs is that of coordinate %,d (%,d of %,d differ)",
          weights.version(),
          weights.coordinate(),
          weights.differing(),
          weights.publishedDimension()));
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

  private static String name(Cause.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** The verdict as JSON. */
  public static Map<String, Object> json(Verdict verdict) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("outcome", verdict.outcome().name().toLowerCase(Locale.ROOT));
    json.put("equal", verdict.outcome() == Outcome.EQUAL);
    json.put("reason", verdict.reason());
    json.put("insideOnly", isInside(verdict));
    json.put("events", verdict.events());
    json.put("seconds", verdict.seconds());
    json.put("models", verdict.models().stream().map(VerdictViews::model).toList());
    return json;
  }

  private static Map<String, Object> model(ModelVerdict model) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model", model.modelId());
    json.put("publishedRounds", model.published());
    json.put("equalRounds", model.equal());
    json.put("roundsBeyond", model.beyond());
    json.put("publishedSnapshots", model.versions());
    json.put("equalSnapshots", model.equalVersions());
    json.put("equalMetrics", model.metrics());
    json.put("uncovered", model.uncovered());
    json.put("difference", model.difference().map(VerdictViews::view).orElse(null));
    return json;
  }

  private static Map<String, Object> view(Difference difference) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("round", difference.round());
    json.put("what", difference.what());
    json.put("fields", fields(difference.fields()));
    json.put("weights", difference.weights().map(VerdictViews::view).orElse(null));
    json.put(
        "causes",
        difference.causes().stream()
            .map(each -> Map.of(
                "kind", name(each.kind()),
                "text", each.text(),
                "values", fields(each.values())))
            .toList());
    return json;
  }

  private static Map<String, Object> view(WeightsDifference weights) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("version", weights.version());
    json.put("publishedDimension", weights.publishedDimension());
    json.put("replayedDimension", weights.replayedDimension());
    json.put("differing", weights.differing());
    if (weights.differing() > 0) {
      json.put("coordinate", weights.coordinate());
      json.put("published", weights.published());
      json.put("replayed", weights.replayed());
      json.put("publishedBits", bits(weights.published()));
      json.put("replayedBits", bits(weights.replayed()));
    }
    return json;
  }

  private static String bits(double value) {
    return line("%016x", Double.doubleToRawLongBits(value));
  }

  private static List<Map<String, String>> fields(List<FieldDifference> fields) {
    return fields.stream()
        .map(each ->
            Map.of("name", each.name(), "published", each.published(), "replayed", each.replayed()))
        .toList();
  }
}
