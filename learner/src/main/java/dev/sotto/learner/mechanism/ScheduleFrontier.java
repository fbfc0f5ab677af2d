package dev.sotto.learner.mechanism;

import java.util.Arrays;

/**
 * The schedules worth keeping of those that place a given number of participations in a block of
 * rounds: none is beaten by another in the empty rounds that it leaves at both borders and in its
 * value at once. The value is a sum of squares of counts over the nodes inside the block.
 *
 * @param lead empty rounds before the first participation, counted as far as they matter
 * @param trail empty rounds after the last participation, likewise
 * @param value of each schedule, falling
 */
record ScheduleFrontier(int[] lead, int[] trail, long[] value) {
  /** The largest value, whatever it leaves at the borders; negative where there is no schedule. */
  long most() {
    return value.length == 0 ? -1 : value[0];
  }

  /** Gathers the schedules of one number of participations, again and again. */
  static final class Builder {
    private final int leads;
    private final int trails;
    private final int width;
    private final long[] atLeast; // the largest value with so much lead and trail or more, or -1
    private long[] found = new long[16];

    /**
     * For borders that count up to this number of empty rounds; 0 where a border does not matter.
     */
    Builder(int leads, int trails) {
      this.leads = leads;
      this.trails = trails;
      this.width = trails + 1;
      this.atLeast = new long[(leads + 1) * width];
      Arrays.fill(atLeast, -1);
    }

    void add(long lead, long trail, long value) {
      int last = (int) Math.min(trails, trail);
      for (int row = (int) Math.min(leads, lead) * width; row >= 0; row -= width) {
        if (atLeast[row + last] >= value) {
          return;
        }
        for (int place = row + last; place >= row && atLeast[place] < value; place--) {
          atLeast[place] = value;
        }
      }
    }

    /**
     * Adds a block's schedules with a number of empty rounds before and after them, {@code worth}
     * more each.
     */
    void addPadded(ScheduleFrontier block, long before, long after, long worth) {
      for (int i = 0; i < block.value.length; i++) {
        add(block.lead[i] + before, block.trail[i] + after, worth + block.value[i]);
      }
    }

    /**
     * Adds the schedules of two neighbours that both hold participations, {@code worth} more each:
     * those with as many empty rounds between them as the borders count.
     */
    void addJoined(ScheduleFrontier left, ScheduleFrontier right, long worth) {
      if (atLeast[atLeast.length - 1] >= worth + left.most() + right.most()) {
        return; // beaten by one that hinders nobody
      }
      for (int i = 0; i < left.value.length; i++) {
        int row = left.lead[i] * width;
        long soFar = worth + left.value[i];
        for (int j = 0; j < right.value.length; j++) {
          if (atLeast[row + trails] >= soFar + right.value[j]) {
            break; // and so are all that follow
          }
          if (left.trail[i] + right.lead[j] >= trails) {
            add(left.lead[i], right.trail[j], soFar + right.value[j]);
          }
        }
      }
    }

    /** What was added since the last call. */
    ScheduleFrontier build() {
      int count = 0;
      for (int lead = 0; lead <= leads; lead++) {
        for (int trail = 0; trail <= trails; trail++) {
          int place = lead * width + trail;
          long value = atLeast[place];
          boolean beaten = lead < leads && atLeast[place + width] == value
              || trail < trails && atLeast[place + 1] == value;
          if (value >= 0 && !beaten) {
            if (count == found.length) {
              found = Arrays.copyOf(found, 2 * count);
            }
            found[count++] = -value * atLeast.length + place;
          }
        }
      }
      Arrays.fill(atLeast, -1);
      Arrays.sort(found, 0, count);
      ScheduleFrontier front =
          new ScheduleFrontier(new int[count], new int[count], new long[count]);
      for (int i = 0; i < count; i++) {
        int place = (int) Math.floorMod(found[i], (long) atLeast.length);
        front.lead[i] = place / width;
        front.trail[i] = place % width;
        front.value[i] = -Math.floorDiv(found[i], (long) atLeast.length);
      }
      return front;
    }
  }
}
