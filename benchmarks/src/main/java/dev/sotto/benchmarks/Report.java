package dev.sotto.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.benchmarks.table.ResultTable;
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
  static String json(boolean quick, Map<String, Object> before, List<CaseResult> results)
      throws JsonProcessingException {
    Map<String, Object> ratios = new LinkedHashMap<>();
    Map<String, Object> cases = new LinkedHashMap<>();
    for (CaseResult result : results) {
      Map<String, Double> each = new LinkedHashMap<>();
      for (String name : result.runs().keySet()) {
        each.put(name, result.ratio(name, PASS_THROUGH, MeasuredRun::perSecond).median());
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
    all.put("loadAverageAfter", MachineInfo.facts().get("loadAverage"));
    return new ObjectMapper().writeValueAsString(all);
  }

  private static Map<String, Object> fields(CaseResult result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("records", result.records());
    fields.put("bytesPerRecord", result.bytes());
    fields.put("dimension", result.what().dimension());
    fields.put("nonZeros", result.what().nonZeros);
    result.runs().forEach((name, runs) -> {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("repetitions", runs.size());
      figures.put("perSecond", Quantiles.of(runs, MeasuredRun::perSecond));
      figures.put("perCpuSecond", Quantiles.of(runs, MeasuredRun::perCpuSecond));
      figures.put("seconds", Quantiles.of(runs, MeasuredRun::seconds));
      figures.put("clientCores", Quantiles.of(runs, MeasuredRun::cores));
      figures.put("threadCores", Quantiles.of(runs, MeasuredRun::threadCores));
      figures.put("brokerCores", Quantiles.of(runs, MeasuredRun::brokerCores));
      if (!name.equals(PASS_THROUGH)) {
        figures.put("overPassThrough", result.ratio(name, PASS_THROUGH, MeasuredRun::perSecond));
        figures.put(
            "overPassThroughPerCpuSecond",
            result.ratio(name, PASS_THROUGH, MeasuredRun::perCpuSecond));
      }
      fields.put(name, figures);
    });
    return fields;
  }

  /** A table in Markdown: medians, and least and most in brackets. */
  static String table(List<CaseResult> results) {
    ResultTable table = new ResultTable(
        "case",
        "what",
        "thousand examples/s",
        "over pass-through",
        "over direct",
        "thousand/client CPU-s",
        "over pass-through",
        "over direct",
        "cores: client (its thread), broker");
    for (CaseResult result : results) {
      result
          .runs()
          .forEach((name, runs) -> table.add(
              result.what().label,
              name,
              Quantiles.of(runs, MeasuredRun::perSecond).text(1e3, 0),
              result.ratio(name, PASS_THROUGH, MeasuredRun::perSecond).text(1, 2),
              overDirect(result, name, MeasuredRun::perSecond),
              Quantiles.of(runs, MeasuredRun::perCpuSecond).text(1e3, 0),
              result.ratio(name, PASS_THROUGH, MeasuredRun::perCpuSecond).text(1, 2),
              overDirect(result, name, MeasuredRun::perCpuSecond),
              String.format(
                  Locale.ROOT,
                  "%.2f (%.2f), %.2f",
                  Quantiles.of(runs, MeasuredRun::cores).median(),
                  Quantiles.of(runs, MeasuredRun::threadCores).median(),
                  Quantiles.of(runs, MeasuredRun::brokerCores).median())));
    }
    return table.markdown();
  }

  /**
   * Over the direct layout with the same algorithm and batch; empty for what has none beside it.
   */
  private static String overDirect(
      CaseResult result, String name, ToDoubleFunction<MeasuredRun> figure) {
    return LearnerSetup.all().stream()
        .filter(setup -> setup.name().equals(name) && !setup.base().name().equals(name))
        .map(setup -> setup.base().name())
        .filter(result.runs()::containsKey)
        .findFirst()
        .map(base -> result.ratio(name, base, figure).text(1, 2))
        .orElse("");
  }
}
