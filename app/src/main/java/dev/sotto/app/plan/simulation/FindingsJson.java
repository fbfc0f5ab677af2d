package dev.sotto.app.plan.simulation;

import dev.sotto.app.plan.Outlook;
import dev.sotto.app.plan.OutlookJson;
import dev.sotto.app.plan.Scenario;
import java.util.List;
import java.util.Map;

/** Findings as rows for JSON, one for each setting; docs/plan.md tells what the fields mean. */
public final class FindingsJson {
  private FindingsJson() {}

  /**
   * All rows.
   *
   * @param multiplier the plan's {@code ftrl.steps.multiplier}
   */
  public static List<Map<String, Object>> rows(Findings findings, double multiplier) {
    return findings.grid().all().stream()
        .map(each -> row(findings, each, multiplier))
        .toList();
  }

  private static Map<String, Object> row(Findings findings, Finding finding, double multiplier) {
    Scenario scenario = findings.scenario();
    Setting setting = finding.setting();
    Map<String, Object> json = OutlookJson.head(
        "simulation",
        scenario.own(),
        finding.rounds(),
        scenario.own(setting.clip(), finding.sigma(), finding.rounds()),
        setting.batch());
    json.put("horizon", finding.horizon() == Outlook.LIMIT ? null : finding.horizon());
    json.put("clip", setting.clip());
    json.put("stepsMultiplier", setting.stepFactor() * multiplier);
    Sample grid = findings.grid();
    json.put("loss", OutlookJson.finite(finding.loss()));
    json.put("learned", OutlookJson.finite(grid.learned(finding.loss())));
    boolean best = setting.equals(findings.best().setting());
    boolean own = setting.equals(findings.configured().setting());
    json.put("best", best);
    json.put("asConfigured", own);
    Finding again = best ? findings.best() : findings.configured();
    json.put(
        "freshLearned",
        best || own ? OutlookJson.finite(findings.fresh().learned(again.loss())) : null);
    json.put("seed", findings.seed());
    json.put("weights", findings.dimension());
    json.put("recordsPerMadeUp", findings.thinning());
    return json;
  }
}
