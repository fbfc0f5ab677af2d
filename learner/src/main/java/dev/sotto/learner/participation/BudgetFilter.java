package dev.sotto.learner.participation;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The admission filter of docs/blt.md, "Budget per unit": a unit takes part while all that it has
 * spent, and all that its past will cost it in later rows, stays within its budget, and in rounds
 * that lie at least a separation apart, in whatever generations. Costs are in units of mu^2 and are
 * those of the rounds in which the unit was, whatever the separation.
 *
 * <p>A generation begins with fresh noise: its rows end with it and the next one carries nothing
 * over, but what was spent stays spent. History: last round, spent, h_1..h_d.
 */
final class BudgetFilter implements Admission {
  private static final int VERSION = 3;

  private final GenerationSchedule generations;
  private final ColumnCarryOver costs;
  private final double metricsRatioSquared;
  private final double cap;
  private final long separation;
  private final HistoryFormat layout;

  BudgetFilter(
      Participation.Budgeted rule,
      ColumnDecay memory,
      GenerationSchedule generations,
      double ratioSquared,
      double metricsRatioSquared) {
    this.generations = generations;
    this.costs = new ColumnCarryOver(memory, ratioSquared);
    this.metricsRatioSquared = metricsRatioSquared;
    this.cap = UpwardRounding.squareBelow(rule.mu());
    this.separation = rule.separation();
    String plan = String.join(
        " ",
        "budgeted",
        generations.describe(),
        Double.toHexString(ratioSquared),
        Double.toHexString(metricsRatioSquared),
        memory.describe() + (separation == 1 ? "" : " separation=" + separation));
    this.layout = new HistoryFormat(VERSION, 1 + memory.size(), "budgeted", plan);
  }

  /** What one unit has spent, and what its past adds to later rows. */
  private static final class UnitCost {
    final double[] h;
    double spent;
    long last;

    UnitCost(int size) {
      h = new double[size];
    }

    void charge(double cost) {
      spent = UpwardRounding.sum(spent, cost);
    }
  }

  @Override
  public byte[] admit(byte[] history, long round) {
    HistoryFormat.checkRound(round);
    UnitCost unit = new UnitCost(costs.size());
    if (history != null) {
      open(unit, history, round);
      if (round - unit.last < separation) {
        return null;
      }
      settle(unit, round);
    }
    unit.charge(costs.row(unit.h));
    unit.charge(metricsRatioSquared);
    costs.enter(unit.h);
    unit.last = round;
    return committed(unit) <= cap ? close(unit) : null;
  }

  /** Charges the rows between the last round and this one, so far as its generation reaches. */
  private void settle(UnitCost unit, long round) {
    long end = generations.last(generations.of(unit.last));
    if (round > end) {
      unit.charge(costs.rows(unit.h, end - unit.last));
      Arrays.fill(unit.h, 0);
    } else {
      unit.charge(costs.rows(unit.h, round - 1 - unit.last));
      costs.pass(unit.h, round - 1 - unit.last);
    }
  }

  private double committed(UnitCost unit) {
    return UpwardRounding.sum(unit.spent, costs.rows(unit.h, rowsLeft(unit.last)));
  }

  /** How many rows follow a round in its generation; {@link Long#MAX_VALUE} without end. */
  private long rowsLeft(long round) {
    long end = generations.last(generations.of(round));
    return end == Long.MAX_VALUE ? end : end - round;
  }

  /** What a unit has spent once a round (its last or a later one) is over, in units of mu^2. */
  double spentAt(byte[] history, long round) {
    UnitCost unit = new UnitCost(costs.size());
    open(unit, history, round);
    long rows = Math.min(round - unit.last, rowsLeft(unit.last));
    return UpwardRounding.sum(unit.spent, costs.rows(unit.h, rows));
  }

  /** What a unit has spent and will spend if it never takes part again, in units of mu^2. */
  double committed(byte[] history) {
    UnitCost unit = new UnitCost(costs.size());
    open(unit, history, Long.MAX_VALUE);
    return committed(unit);
  }

  /**
   * The most that a unit's first participation commits it to, in whatever round, in units of mu^2.
   */
  double committedByOne() {
    long longest = generations.kind() == GenerationSchedule.Kind.CONSTANT
        ? generations.first() - 1
        : Long.MAX_VALUE;
    UnitCost unit = new UnitCost(costs.size());
    unit.charge(costs.row(unit.h));
    unit.charge(metricsRatioSquared);
    costs.enter(unit.h);
    return UpwardRounding.sum(unit.spent, costs.rows(unit.h, longest));
  }

  /** The budget, in units of mu^2. */
  double cap() {
    return cap;
  }

  private void open(UnitCost unit, byte[] history, long round) {
    ByteBuffer bytes = layout.open(history, round);
    unit.last = bytes.getLong();
    unit.spent = bytes.getDouble();
    for (int m = 0; m < unit.h.length; m++) {
      unit.h[m] = bytes.getDouble();
    }
  }

  private byte[] close(UnitCost unit) {
    ByteBuffer bytes = layout.blank().putLong(unit.last).putDouble(unit.spent);
    for (double each : unit.h) {
      bytes.putDouble(each);
    }
    return layout.seal(bytes);
  }
}
