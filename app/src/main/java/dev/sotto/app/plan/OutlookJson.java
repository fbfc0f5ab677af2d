package dev.sotto.app.plan;

import dev.sotto.app.plan.Outlook.Contribution;
import dev.sotto.app.plan.Outlook.Group;
import dev.sotto.app.plan.Outlook.LargerBatch;
import dev.sotto.app.plan.Outlook.Noise;
import dev.sotto.app.plan.Outlook.Returner;
import dev.sotto.app.plan.Outlook.Row;
import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An outlook as rows for JSON: one for each mechanism and number of rounds; a figure that does not exist, or is
 * infinite, is null. docs/plan.md tells what the fields mean.
 */
public final class OutlookJson {
  private final Outlook outlook;

  private OutlookJson(Outlook outlook) {
    this.outlook = outlook;
  }

  /** All rows; of a mechanism that cannot serve the plan there is one, with the reason. */
  public static List<Map<String, Object>> rows(Outlook outlook) {
    OutlookJson json = new OutlookJson(outlook);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Group group : outlook.groups()) {
      if (group.rows().value().isEmpty()) {
        rows.add(json.refused(group));
      }
      group.rows().value().ifPresent(all -> all.forEach(row -> rows.add(json.row(group, row))));
    }
    return rows;
  }

  /** The head of every row, of whatever kind. */
  public static Map<String, Object> head(
      String kind, Candidate candidate, long rounds, Noise noise, long batch) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", kind);
    json.put("mechanism", candidate.name());
    json.put("set", candidate.set().isEmpty() ? null : candidate.set());
    json.put("configured", candidate.configured());
    json.put("rounds", rounds == Outlook.LIMIT ? null : rounds);
    json.put("limit", rounds == Outlook.LIMIT);
    json.putAll(noise(noise, batch));
    json.put("batch", batch);
    return json;
  }

  private Map<String, Object> row(Group group, Row row) {
    long batch = outlook.scenario().plan().batch();
    Map<String, Object> json =
        head("plan", group.candidate(), row.rounds(), row.configured(), batch);
    json.put("sameBudget", answered(row.sameBudget(), batch));
    json.put("madeForThis", answered(row.madeForThis(), batch));
    json.put(
        "contributions",
        row.contributions().stream().map(OutlookJson::contribution).toList());
    json.put("largerBatches", row.batches().stream().map(OutlookJson::larger).toList());
    if (row.rounds() == Outlook.LIMIT && !group.returners().isEmpty()) {
      json.put(
          "returners", group.returners().stream().map(OutlookJson::returner).toList());
    }
    json.put("reason", null);
    return json;
  }

  private Map<String, Object> refused(Group group) {
    Plan plan = outlook.scenario().plan();
    Noise none = new Noise(
        plan.sigma(),
        new Cost(Double.NaN, Double.NaN, plan.budget().delta(), false),
        new PrefixError(Double.NaN, Double.NaN));
    Map<String, Object> json = head("plan", group.candidate(), Outlook.LIMIT, none, plan.batch());
    json.put("limit", false);
    json.put("reason", group.rows().reason());
    return json;
  }

  private static Map<String, Object> noise(Noise noise, long batch) {
    Map<String, Object> json = cost(noise.cost());
    json.put("sigma", finite(noise.sigma()));
    json.putAll(error(noise.error(), batch));
    return json;
  }

  private static Map<String, Object> cost(Cost cost) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("mu", finite(cost.mu()));
    json.put("epsilon", finite(cost.epsilon()));
    json.put("delta", cost.delta());
    json.put("withinBudget", cost.allowed());
    return json;
  }

  private static Map<String, Object> error(PrefixError error, long batch) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("prefixErrorStd", finite(error.std()));
    json.put("prefixErrorStdOfMean", finite(error.std() / batch));
    json.put("worstPrefixErrorStd", finite(error.worst()));
    return json;
  }

  private static Map<String, Object> answered(Answer<Noise> answer, long batch) {
    return answer.value().map(noise -> noise(noise, batch)).orElseGet(() -> because(answer));
  }

  private static Map<String, Object> because(Answer<?> answer) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("reason", answer.reason());
    return json;
  }

  private static Map<String, Object> contribution(Contribution contribution) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("contributions", contribution.bound().most());
    json.put("roundsApart", contribution.bound().separation());
    Answer<Cost> cost = contribution.cost();
    json.putAll(cost.value().map(OutlookJson::cost).orElseGet(() -> because(cost)));
    json.put("noiseFactor", finite(contribution.factor()));
    return json;
  }

  private static Map<String, Object> larger(LargerBatch larger) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch", larger.batch());
    json.put("rounds", larger.rounds() == Outlook.LIMIT ? null : larger.rounds());
    json.putAll(cost(larger.cost()));
    json.putAll(error(larger.error(), larger.batch()));
    return json;
  }

  private static Map<String, Object> returner(Answer<Returner> answer) {
    return answer
        .value()
        .map(returner -> {
          Map<String, Object> json = new LinkedHashMap<>();
          json.put("every", returner.every());
          json.put("attempts", returner.attempts());
          json.put("admitted", returner.admitted());
          return json;
        })
        .orElseGet(() -> because(answer));
  }

  /** A number that JSON can hold, or null. */
  public static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
