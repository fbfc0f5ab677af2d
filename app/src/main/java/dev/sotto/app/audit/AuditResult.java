package dev.sotto.app.audit;

import dev.sotto.app.audit.canary.CanaryResult;
import dev.sotto.app.view.Figures;
import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an audit has found.
 *
 * @param plan that was audited
 * @param rounds so many of it
 * @param seed from which the whole audit follows
 * @param confidence of the lower bound
 * @param canaries what they proved about the learner as it is
 * @param checks everything that was checked, the canaries among it
 * @param seconds that it took
 */
public record AuditResult(
    Plan plan,
    int rounds,
    long seed,
    double confidence,
    CanaryResult canaries,
    List<Check> checks,
    double seconds) {
  public AuditResult {
    checks = List.copyOf(checks);
  }

  /** Whether every check holds. */
  public boolean holds() {
    return checks.stream().allMatch(Check::holds);
  }

  /** For machines; a figure that is infinite or does not exist is null. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("holds", holds());
    json.put("epsilonLower", canaries.epsilonLower());
    json.put("epsilonUpper", finite(canaries.epsilonUpper()));
    json.put("confidence", confidence);
    json.put("delta", canaries.delta());
    json.put("canaries", canaries.canaries());
    json.put("guesses", canaries.guesses());
    json.put("right", canaries.right());
    json.put("rounds", rounds);
    json.put("mechanism", plan.mechanism().name());
    json.put("unit", plan.unit().configName());
    json.put("adjacency", plan.adjacency().configName());
    json.put("seed", seed);
    json.put("seconds", seconds);
    List<Map<String, Object>> all = new ArrayList<>();
    for (Check check : checks) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("name", check.name());
      each.put("holds", check.holds());
      each.put("figure", finite(check.figure()));
      each.put("rule", check.rule());
      each.put("says", check.says());
      all.add(each);
    }
    json.put("checks", all);
    return json;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(text(
        "audited     %s noise, %s, unit %s: sigma %s of a clip of %s, %d rounds of %d slots",
        plan.mechanism().name(),
        plan.adjacency().configName(),
        plan.unit().configName(),
        Figures.down(plan.sigma(), 4),
        text("%.4g", plan.clip()),
        rounds,
        plan.batch()));
    lines.add(text(
        "epsilon     at least %s (confidence %s, %,d canaries), at most %s (ledger), at delta %s",
        Figures.down(canaries.epsilonLower(), 4),
        confidence,
        canaries.canaries(),
        Figures.up(canaries.epsilonUpper(), 6),
        Figures.upShort(canaries.delta(), 3)));
    lines.add("");
    int width = checks.stream().mapToInt(each -> each.name().length()).max().orElse(0);
    lines.add(text("       %-" + width + "s  %10s  %s", "check", "figure", "must be"));
    for (Check check : checks) {
      lines.add(text(
          "%-5s  %-" + width + "s  %10s  %s",
          check.holds() ? "ok" : "FAILS",
          check.name(),
          figure(check.figure()),
          check.rule()));
      lines.add("         " + check.says());
    }
    long failed = checks.stream().filter(each -> !each.holds()).count();
    lines.add("");
    lines.add(text(
        "%s; seed %d, %.0f s",
        failed == 0
            ? "all " + checks.size() + " checks hold"
            : failed + " of " + checks.size() + " checks FAIL",
        seed,
        seconds));
    return lines;
  }

  private static String figure(double value) {
    return value == 0
        ? "0"
        : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6
            ? text("%.2e", value)
            : text("%.4f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
