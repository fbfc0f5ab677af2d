package dev.sotto.app.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison as maps for JSON; a figure that does not exist, or is infinite, is null. */
public final class ComparisonJson {
  private final Comparison comparison;

  private ComparisonJson(Comparison comparison) {
    this.comparison = comparison;
  }

  /** The whole of it. */
  public static Map<String, Object> of(Comparison comparison) {
    return new ComparisonJson(comparison).all();
  }

  private Map<String, Object> all() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("private", false);
    json.put("warning", Comparison.WARNING);
    json.put("recording", comparison.recording());
    json.put("seed", comparison.seed());
    json.put("limit", comparison.limit() == 0 ? null : comparison.limit());
    Map<String, List<String>> differences = comparison.differences();
    List<Object> configurations = new ArrayList<>();
    for (int i = 0; i < comparison.configurations().size(); i++) {
      configurations.add(configuration(i, differences));
    }
    json.put("configurations", configurations);
    json.put("runs", comparison.runs().stream().map(this::run).toList());
    return json;
  }

  private Map<String, Object> configuration(int place, Map<String, List<String>> differences) {
    Configuration configuration = comparison.configurations().get(place);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", configuration.name());
    json.put("file", configuration.file());
    json.put("key", configuration.key().isEmpty() ? null : configuration.key());
    Map<String, String> own = new LinkedHashMap<>();
    differences.forEach((key, values) -> {
      if (!values.get(place).isEmpty()) {
        own.put(key, values.get(place));
      }
    });
    json.put("differingSettings", own);
    json.put("boundingOnly", configuration.boundingOnly().orElse(null));
    json.put("withoutPrivacy", configuration.withoutPrivacy().orElse(null));
    return json;
  }

  private Map<String, Object> run(Run run) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", run.name());
    json.put("role", run.role().words());
    if (run.outcome() instanceof Outcome.Failed failed) {
      json.put("failed", true);
      json.put("code", failed.code().name());
      json.put("exitCode", failed.code().code());
      json.put("message", failed.message());
      return json;
    }
    Outcome.Finished figures = (Outcome.Finished) run.outcome();
    json.put("failed", false);
    json.put("examples", figures.examples());
    json.put("seconds", figures.seconds());
    json.put("examplesPerSecond", figures.examplesPerSecond());
    json.put("rounds", figures.rounds());
    json.put("epsilon", finite(figures.epsilon()));
    json.put("delta", figures.delta());
    json.put("lossName", figures.lossName());
    json.put("loss", finite(figures.loss()));
    json.put("logLoss", figures.lossWords().equals("log-loss") ? finite(figures.loss()) : null);
    json.put("recentLoss", finite(figures.recentLoss()));
    json.put("accuracy", finite(figures.accuracy()));
    Optional<Excess> none = comparison.overNone(run);
    Optional<Excess> bounding = comparison.overBounding(run);
    json.put("excessOverNonPrivate", none.map(Excess::loss).orElse(null));
    json.put("excessOverBoundingOnly", bounding.map(Excess::loss).orElse(null));
    json.put(
        "snapshotDigest", figures.snapshotDigest().isEmpty() ? null : figures.snapshotDigest());
    json.put("curve", figures.curve().stream().map(ComparisonJson::point).toList());
    json.put("excessCurve", none.map(ComparisonJson::curve).orElse(List.of()));
    return json;
  }

  private static List<Map<String, Object>> curve(Excess excess) {
    return excess.curve().stream()
        .map(point -> {
          Map<String, Object> json = new LinkedHashMap<>();
          json.put("examples", point.examples());
          json.put("loss", finite(point.loss()));
          return json;
        })
        .toList();
  }

  private static Map<String, Object> point(CurvePoint point) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("examples", point.examples());
    json.put("rounds", point.rounds());
    json.put("epsilon", finite(point.epsilon()));
    json.put("loss", finite(point.loss()));
    json.put("recentLoss", finite(point.recentLoss()));
    json.put("accuracy", finite(point.accuracy()));
    return json;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
