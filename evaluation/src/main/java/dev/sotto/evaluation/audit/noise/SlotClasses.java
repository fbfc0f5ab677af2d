package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** The slots of a block, in ranges that the same queries read. */
public final class SlotClasses {
  private final List<SlotClass> classes = new ArrayList<>();
  private final long[] firsts;

  /**
   * Slots {@code first} to {@code end - 1}.
   *
   * @param queries that read them, from 1, ascending
   */
  public record SlotClass(long first, long end, int[] queries) {}

  /** Of a schedule. */
  public SlotClasses(QuerySchedule schedule) {
    this(schedule, 0);
  }

  private SlotClasses(QuerySchedule schedule, long apart) {
    int queries = Math.toIntExact(schedule.queries());
    QuerySchedule.Query[] all = new QuerySchedule.Query[queries];
    TreeSet<Long> bounds = new TreeSet<>();
    for (int q = 0; q < queries; q++) {
      all[q] = schedule.query(q + 1);
      bounds.add(all[q].first());
      bounds.add(all[q].end());
      for (long i = 1; i <= Math.min(apart, all[q].slots() / 2); i++) {
        bounds.add(all[q].first() + i);
      }
    }
    firsts = bounds.stream().mapToLong(Long::longValue).toArray();
    int[] reading = new int[queries];
    for (int i = 0; i + 1 < firsts.length; i++) {
      int count = 0;
      for (int q = 0; q < queries; q++) {
        if (all[q].first() <= firsts[i] && firsts[i] < all[q].end()) {
          reading[count++] = q + 1;
        }
      }
      classes.add(new SlotClass(firsts[i], firsts[i + 1], Arrays.copyOf(reading, count)));
    }
  }

  /**
   * The classes of a plan's canaries: each of the first slots of a query is a class of its own
   * where it moves the answer by an amount of its own.
   */
  public static SlotClasses of(Plan plan) {
    return new SlotClasses(plan.block(), plan.mechanism().auditTerms().apart());
  }

  /** All of them, by their slots. */
  public List<SlotClass> all() {
    return classes;
  }

  /** The number, from 0, of the class of a slot. */
  public int of(long slot) {
    int found = Arrays.binarySearch(firsts, slot);
    return found >= 0 ? found : -found - 2;
  }
}
