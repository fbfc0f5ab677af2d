package dev.sotto.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The results as a table for people, or as JSON for programs. */
final class Report {
  static final String RAW = "raw";
  static final String PASS_THROUGH = "passThrough";

  private Report() {}

  /** One line of JSON; {@code before} holds the machine's facts from before the first run. */
  static String json(boolean quick, Map<String, Object> before, List<Result> results)
      throws JsonProcessingException {
    Map<String, Object> ratios = new LinkedHashMap<>();
    Map<String, Object> cases = new LinkedHashMap<>();
    for (Result result : results) {
      Map<String, Double> each = new LinkedHashMap<>();
      for (String name : result.runs().keySet()) {
        each.put(name, result.ratio(name, PASS_THROUGH, Run::perSecond).median());
      }
      ratios.put(result.what().label, each);
      cases.put(result.what().label, fields(result));
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("benchmark", "end-to-end");
    all.put("quick", quick);
    all.put("ratios", ratios);
    all.put("cases", cases);
    all.put("machine", before);
    all.put("loadAverageAfter", Machine.facts().get("loadAverage"));
    return new ObjectMapper().writeValueAsString(all);
  }

  private static Map<String, Object> fields(Result result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("records", result.records());
    fields.put("bytesPerRecord", result.bytes());
    fields.put("dimension", result.what().dimension());
    fields.put("nonZeros", result.what().nonZeros);
    result.runs().forEach((name, runs) -> {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("repetitions", runs.size());
      figures.put("perSecond", Spread.of(runs, Run::perSecond));
      figures.put("perCpuSecond", Spread.of(runs, Run::perCpuSecond));
      figures.put("seconds", Spread.of(runs, Run::seconds));
      figures.put("clientCores", Spread.of(runs, Run::cores));
      figures.put("threadCores", Spread.of(runs, Run::threadCores));
      figures.put("brokerCores", Spread.of(runs, Run::brokerCores));
      if (!name.equals(PASS_THROUGH)) {
        figures.put("overPassThrough", result.ratio(name, PASS_THROUGH, Run::perSecond));
        figures.put(
            "overPassThroughPerCpuSecond", result.ratio(name, PASS_THROUGH, Run::perCpuSecond));
      }
      fields.put(name, figures);
    });
    return fields;
  }

  /** A table in Markdown: medians, and least and most in brackets. */
  static String table(List<Result> results) {
    var text = new StringBuilder("""
        | case | what | thousand examples/s | over pass-through | over direct | thousand/client CPU-s | over pass-through | over direct | cores: client (its thread), broker |
        |---|---|---|---|---|---|---|---|---|
        """);
    for (Result result : results) {
      result
          .runs()
          .forEach((name, runs) -> text.append(String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s | %s | %s | %s | %s | %.2f (%.2f), %.2f |%n",
              result.what().label,
              name,
              thousands(Spread.of(runs, Run::perSecond)),
              ratio(result.ratio(name, PASS_THROUGH, Run::perSecond)),
              overDirect(result, name, Run::perSecond),
              thousands(Spread.of(runs, Run::perCpuSecond)),
              ratio(result.ratio(name, PASS_THROUGH, Run::perCpuSecond)),
              overDirect(result, name, Run::perCpuSecond),
              Spread.of(runs, Run::cores).median(),
              Spread.of(runs, Run::threadCores).median(),
              Spread.of(runs, Run::brokerCores).median())));
    }
    return text.toString();
  }

  /** Over the direct layout with the same algorithm and batch; empty for what has none beside it. */
  private static String overDirect(Result result, String name, ToDoubleFunction<Run> figure) {
    return Setup.all().stream()
        .filter(setup -> setup.name().equals(name) && !setup.base().name().equals(name))
        .map(setup -> setup.base().name())
        .filter(result.runs()::containsKey)
        .findFirst()
        .map(base -> ratio(result.ratio(name, base, figure)))
        .orElse("");
  }

  private static String thousands(Spread of) {
    return String.format(
        Locale.ROOT, "%.0f (%.0f-%.0f)", of.median() / 1e3, of.min() / 1e3, of.max() / 1e3);
  }

  private static String ratio(Spread of) {
    return String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", of.median(), of.min(), of.max());
  }
}
