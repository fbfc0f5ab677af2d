package dev.sotto.learner.unit;

import dev.sotto.learner.privacy.Generations;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The admission filter of blt.md section 4: a unit takes part while all that it has spent, and all that its past
 * will cost it in later rows, stays within its budget. The book is kept in units of mu^2.
 *
 * <p>A generation is a fresh walk of the noise: its rows end with it and the next one carries nothing over, but what
 * was spent stays spent. History: last round, spent, h_1..h_d.
 */
final class BudgetFilter implements Admission {
  private static final int VERSION = 3;

  private final Generations generations;
  private final CarryOver costs;
  private final double metricsRatioSquared;
  private final double cap;
  private final HistoryLayout layout;

  BudgetFilter(
      double mu,
      Memory memory,
      Generations generations,
      double ratioSquared,
      double metricsRatioSquared) {
    this.generations = generations;
    this.costs = new CarryOver(memory, ratioSquared);
    this.metricsRatioSquared = metricsRatioSquared;
    this.cap = Outward.squareBelow(mu);
    String plan = String.join(
        " ",
        "budgeted",
        generations.describe(),
        Double.toHexString(ratioSquared),
        Double.toHexString(metricsRatioSquared),
        memory.describe());
    this.layout = new HistoryLayout(VERSION, 1 + memory.size(), "budgeted", plan);
  }

  /** A unit's book while it is open. */
  private static final class Book {
    final double[] h;
    double spent;
    long last;

    Book(int size) {
      h = new double[size];
    }

    void charge(double cost) {
      spent = Outward.sum(spent, cost);
    }
  }

  @Override
  public byte[] admit(byte[] history, long round) {
    HistoryLayout.checkRound(round);
    Book book = new Book(costs.size());
    if (history != null) {
      open(book, history, round);
      if (book.last == round) {
        return null;
      }
      settle(book, round);
    }
    book.charge(costs.row(book.h));
    book.charge(metricsRatioSquared);
    costs.enter(book.h);
    book.last = round;
    return committed(book) <= cap ? close(book) : null;
  }

  /** Charges the rows between the last round and this one, so far as its generation reaches. */
  private void settle(Book book, long round) {
    long end = generations.last(generations.of(book.last));
    if (round > end) {
      book.charge(costs.rows(book.h, end - book.last));
      Arrays.fill(book.h, 0);
    } else {
      book.charge(costs.rows(book.h, round - 1 - book.last));
      costs.pass(book.h, round - 1 - book.last);
    }
  }

  private double committed(Book book) {
    return Outward.sum(book.spent, costs.rows(book.h, rowsLeft(book.last)));
  }

  /** How many rows follow a round in its generation; {@link Long#MAX_VALUE} without end. */
  private long rowsLeft(long round) {
    long end = generations.last(generations.of(round));
    return end == Long.MAX_VALUE ? end : end - round;
  }

  /** What a unit has spent once a round (its last or a later one) is over, in units of mu^2. */
  double spentAt(byte[] history, long round) {
    Book book = new Book(costs.size());
    open(book, history, round);
    long rows = Math.min(round - book.last, rowsLeft(book.last));
    return Outward.sum(book.spent, costs.rows(book.h, rows));
  }

  /** What a unit has spent and will spend if it never takes part again, in units of mu^2. */
  double committed(byte[] history) {
    Book book = new Book(costs.size());
    open(book, history, Long.MAX_VALUE);
    return committed(book);
  }

  /** The most that a unit's first participation commits it to, in whatever round, in units of mu^2. */
  double committedByOne() {
    long longest =
        generations.kind() == Generations.Kind.CONSTANT ? generations.first() - 1 : Long.MAX_VALUE;
    Book book = new Book(costs.size());
    book.charge(costs.row(book.h));
    book.charge(metricsRatioSquared);
    costs.enter(book.h);
    return Outward.sum(book.spent, costs.rows(book.h, longest));
  }

  /** The budget, in units of mu^2. */
  double cap() {
    return cap;
  }

  private void open(Book book, byte[] history, long round) {
    ByteBuffer bytes = layout.open(history, round);
    book.last = bytes.getLong();
    book.spent = bytes.getDouble();
    for (int m = 0; m < book.h.length; m++) {
      book.h[m] = bytes.getDouble();
    }
  }

  private byte[] close(Book book) {
    ByteBuffer bytes = layout.blank().putLong(book.last).putDouble(book.spent);
    for (double each : book.h) {
      bytes.putDouble(each);
    }
    return layout.seal(bytes);
  }
}
