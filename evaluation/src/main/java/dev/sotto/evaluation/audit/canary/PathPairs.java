package dev.sotto.evaluation.audit.canary;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Slots of a phase in which two neighbours differ as far as they can, and what is around them to
 * bring their paths apart.
 */
final class PathPairs {
  private static final double TINY = 0x1p-20;
  private static final double[] LABELS = {1, 0, -1, 2};
  private static final int MOST_DIRECTIONS = 32;

  private final int dimension;
  private final double clip;
  private final double stride; // a step times the clip
  private final long slots;
  private final Loss loss;
  private final MonotoneSlope slope;
  private final double up; // the label that raises scores most
  private final double down;
  private final long seed;

  /** The content of a slot; null features for a null slot. */
  record Content(double[] features, double label, double weight) {
    static final Content NONE = new Content(null, 0, 0);

    void fill(Slot into) {
      into.clear();
      if (features == null) {
        return;
      }
      into.status(RecordStatus.USED);
      for (int i = 0; i < features.length; i++) {
        if (features[i] != 0) {
          into.example().add(i, features[i]);
        }
      }
      into.example().label(label);
      into.example().weight(weight);
    }
  }

  /**
   * Two neighbours.
   *
   * @param place of the slot in which they differ
   * @param one what is there
   * @param other what is there in the other
   * @param others what both have elsewhere
   */
  record Pair(String name, long place, Content one, Content other, LongFunction<Content> others) {
    Content at(long slot, boolean ofOther) {
      return slot != place ? others.apply(slot) : ofOther ? other : one;
    }

    /** How many slots changed to null slots, or back, one makes out of the other. */
    int changes() {
      return one.features() == null || other.features() == null ? 1 : 2;
    }
  }

  PathPairs(Plan plan, long query, long seed) {
    OrderedNoise noise = plan.paths().orElseThrow();
    this.dimension = plan.dimension();
    this.clip = plan.clip();
    this.stride = noise.step(query) * clip;
    this.slots = noise.schedule().query(query).slots();
    this.loss = plan.loss();
    this.slope = MonotoneSlope.of(plan.objective()).orElseThrow();
    this.seed = seed;
    double least = 0;
    double most = 0;
    double raises = LABELS[0];
    double lowers = LABELS[0];
    for (double each : LABELS) {
      double at = loss.admits(each) ? slope.at(0, each, TINY) : 0;
      if (at < least) {
        least = at;
        raises = each;
      }
      if (at > most) {
        most = at;
        lowers = each;
      }
    }
    this.up = raises;
    this.down = lowers;
  }

  /** Pairs whose gradients are of one coordinate and cut; the rest of the phase is empty. */
  List<Pair> straight() {
    List<Pair> pairs = new ArrayList<>();
    for (long place : new long[] {0, 1, slots / 2, slots - 1}) {
      for (double clips : new double[] {1 + 0x1p-10, 16, 0x1p60}) {
        both(pairs, "alone", place, along(0, clips), along(0, -clips), slot -> Content.NONE);
      }
    }
    return pairs;
  }

  /** Others pull to the same side, or to both in turn around the kink, or wherever. */
  List<Pair> among() {
    List<Pair> pairs = new ArrayList<>();
    Content same = along(0, 1 + 0x1p-10);
    Content left = across(1, down);
    Content right = across(1, up);
    for (long place : new long[] {0, slots / 2}) {
      both(pairs, "same side", place, same, along(0, -1 - 0x1p-10), slot -> same);
      both(pairs, "at the kink", place, left, right, slot -> slot % 2 == 0 ? left : right);
      for (int i = 0; i < 4; i++) {
        int which = i;
        LongFunction<Content> any = slot -> random(which, slot);
        both(pairs, "at random", place, random(9, place), random(10, place), any);
        both(pairs, "extremes", place, extreme(i), extreme(i + 1), any);
      }
    }
    return pairs;
  }

  /**
   * Neighbours one stride apart along the first axis, around zero, and then steep records, each
   * nearly across it: too long a step takes one of the two aside and leaves the other, each time.
   */
  List<Pair> aside() {
    int directions = (int) Math.min(Math.min(dimension - 1, MOST_DIRECTIONS), slots - 3);
    List<Pair> pairs = new ArrayList<>();
    LongFunction<Content> others = slot -> slot == 0
        ? along(0, 0.5)
        : slot >= 2 && slot < 2 + directions ? steep((int) slot - 1) : Content.NONE;
    pairs.add(new Pair("aside", 1, Content.NONE, along(0, -1 - 0x1p-10), others));
    return pairs;
  }

  private static void both(
      List<Pair> pairs,
      String name,
      long place,
      Content one,
      Content other,
      LongFunction<Content> others) {
    pairs.add(new Pair(name, place, one, Content.NONE, others));
    pairs.add(new Pair(name, place, one, other, others));
  }

  /** A record whose gradient is a multiple of the clip long, downwards where that is negative. */
  private Content along(int axis, double clips) {
    double[] features = new double[dimension];
    features[axis] = Math.signum(clips) * TINY;
    double size = Math.abs(slope.at(0, down, TINY));
    return new Content(features, down, Math.abs(clips) * clip / (TINY * size));
  }

  /** Scores move by about 1 in a step. */
  private Content across(double clips, double label) {
    double[] features = new double[dimension];
    features[0] = 1 / stride;
    return new Content(features, label, clips * clip * stride);
  }

  private Content steep(int axis) {
    double[] features = new double[dimension];
    features[0] = 10 / stride;
    features[axis] = 1024 / stride;
    return new Content(features, down, 2 * clip * stride / 1024);
  }

  private Content random(int which, long slot) {
    SplittableRandom random = new SplittableRandom(seed + 31 * (which + 64 * slot));
    double[] features = new double[dimension];
    double size = StrictMath.scalb(1.0, random.nextInt(21) - 10);
    for (int i = 0; i < dimension; i++) {
      features[i] = size * random.nextGaussian();
    }
    double weight = StrictMath.scalb(1.0, random.nextInt(11) - 5);
    return new Content(features, random.nextBoolean() ? up : down, weight);
  }

  private Content extreme(int which) {
    double[] features = new double[dimension];
    features[0] = new double[] {0x1p-399, 1, 0x1p399, 1}[which % 4];
    double far = which % 2 == 0 ? 1e300 : -1e300;
    double label = loss.admits(far) ? far : which % 2 == 0 ? up : down;
    return new Content(features, label, which % 4 == 1 ? 0x1p200 : 0x1p100);
  }
}
