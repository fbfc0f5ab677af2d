package dev.sotto.evaluation.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.evaluation.plan.PlanForecast.Contribution;
import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.LargerBatch;
import dev.sotto.evaluation.plan.PlanForecast.Noise;
import dev.sotto.evaluation.plan.PlanForecast.Returner;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;

/** The rows of a forecast as JSON: docs/plan.md, "JSON" lists the fields. */
public final class PlanForecastJson {
  private PlanForecastJson() {}

  /** The first fields of every row. */
  record Head(
      String kind,
      @JsonUnwrapped Option option,
      @JsonUnwrapped After after,
      @JsonUnwrapped NoiseFields noise,
      long batch) {}

  /** A mechanism. */
  record Option(String mechanism, String set, boolean configured) {
    static Option of(MechanismOption option) {
      String set = option.set().isEmpty() ? null : option.set();
      return new Option(option.name(), set, option.configured());
    }
  }

  /** After how many rounds. */
  record After(Long rounds, boolean limit) {}

  record NoiseFields(
      @JsonUnwrapped PrivacyCost cost,
      double sigma,
      @JsonUnwrapped Errors errors) {
    static NoiseFields of(Noise noise, long batch) {
      return new NoiseFields(noise.cost(), noise.sigma(), Errors.of(noise.error(), batch));
    }
  }

  record Errors(double prefixErrorStd, double prefixErrorStdOfMean, double worstPrefixErrorStd) {
    static Errors of(PrefixError error, long batch) {
      return new Errors(error.std(), error.std() / batch, error.worst());
    }
  }

  record ForecastRow(
      @JsonUnwrapped Head head,
      FigureOrReason<NoiseFields> sameBudget,
      FigureOrReason<NoiseFields> madeForThis,
      List<ContributionFields> contributions,
      List<LargerBatchFields> largerBatches,
      @JsonUnwrapped Returners returners) {}

  /** Fields that only some rows have. */
  record Returners(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FigureOrReason<Returner>> returners,
      String reason) {}

  /** The only row of a mechanism that cannot serve the plan. */
  record RefusedRow(@JsonUnwrapped Head head, String reason) {}

  record ContributionFields(
      long contributions, long roundsApart, @JsonUnwrapped Object cost, double noiseFactor) {}

  record LargerBatchFields(
      long batch,
      Long rounds,
      @JsonUnwrapped PrivacyCost cost,
      @JsonUnwrapped Errors errors) {}

  /** All rows. */
  public static List<Record> rows(PlanForecast forecast) {
    Plan plan = forecast.scenario().plan();
    List<Record> rows = new ArrayList<>();
    for (Group group : forecast.groups()) {
      if (group.rows().value().isEmpty()) {
        rows.add(refused(group, plan));
      }
      for (Row row : group.rows().value().orElse(List.of())) {
        rows.add(row(group, row, plan.batch()));
      }
    }
    return rows;
  }

  /** The first fields of a row. */
  private static Head head(
      String kind, MechanismOption mechanism, long rounds, Noise noise, long batch) {
    After after = new After(nullAtLimit(rounds), rounds == PlanForecast.LIMIT);
    return new Head(kind, Option.of(mechanism), after, NoiseFields.of(noise, batch), batch);
  }

  private static Record row(Group group, Row row, long batch) {
    boolean limit = row.rounds() == PlanForecast.LIMIT;
    return new ForecastRow(
        head("plan", group.candidate(), row.rounds(), row.configured(), batch),
        row.sameBudget().map(noise -> NoiseFields.of(noise, batch)),
        row.madeForThis().map(noise -> NoiseFields.of(noise, batch)),
        row.contributions().stream().map(PlanForecastJson::contribution).toList(),
        row.batches().stream().map(PlanForecastJson::larger).toList(),
        new Returners(limit ? group.returners() : List.of(), null));
  }

  private static Record refused(Group group, Plan plan) {
    NoiseFields none = new NoiseFields(
        new PrivacyCost(Double.NaN, Double.NaN, plan.budget().delta(), false),
        plan.sigma(),
        new Errors(Double.NaN, Double.NaN, Double.NaN));
    Option option = Option.of(group.candidate());
    Head head = new Head("plan", option, new After(null, false), none, plan.batch());
    return new RefusedRow(head, group.rows().reason());
  }

  private static ContributionFields contribution(Contribution contribution) {
    return new ContributionFields(
        contribution.bound().most(),
        contribution.bound().separation(),
        contribution.cost().valueOrReason(),
        contribution.factor());
  }

  private static LargerBatchFields larger(LargerBatch larger) {
    return new LargerBatchFields(
        larger.batch(),
        nullAtLimit(larger.rounds()),
        larger.cost(),
        Errors.of(larger.error(), larger.batch()));
  }

  /** A number of rounds, or null for an endless stream. */
  static Long nullAtLimit(long rounds) {
    return rounds == PlanForecast.LIMIT ? null : rounds;
  }
}
