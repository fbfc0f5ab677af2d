package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.learner.description.GuaranteeFigures;

/** For how long the event topic must keep its events. */
final class RetentionRule {
  private RetentionRule() {}

  static String of(Reading reading) {
    return reading.again()
        ? "an event must stay in the topic until its block is finished: for the time in which "
            + reading.slots() + " events arrive, and that of " + passes(reading)
            + " passes over them; preflight compares"
        : "an event is read once, as it arrives: the topic keeps it for outages only";
  }

  /** Passes with at most one decimal. */
  static String passes(Reading reading) {
    return decimal(reading.passes());
  }

  static String decimal(double number) {
    return GuaranteeFigures.up(number, number == Math.rint(number) ? 0 : 1);
  }
}
