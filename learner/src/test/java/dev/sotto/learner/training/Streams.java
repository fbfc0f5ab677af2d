package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Slots for tests, made anew at each call, since a learner may change a slot's status. */
public final class Streams {
  private Streams() {}

  /** A dense example of the given features. */
  public static Slot used(double label, double... features) {
    Slot slot = new Slot(features.length);
    System.arraycopy(features, 0, slot.example().dense(), 0, features.length);
    slot.example().label(label);
    slot.status(RecordStatus.USED);
    return slot;
  }

  /** A null slot. */
  public static Slot empty(int dimension, RecordStatus status) {
    Slot slot = new Slot(dimension);
    slot.status(status);
    return slot;
  }

  /**
   * A slot of a stream of dense, sparse, overlong, weighted, unreadable and wrongly labelled ones.
   */
  public static Slot mixed(int place, int dimension) {
    Random random = Seed.random(31L * place + 1);
    if (place % 7 == 3) {
      return empty(dimension, RecordStatus.ofCode(1 + random.nextInt(7)));
    }
    Slot slot = new Slot(dimension);
    Example example = slot.example();
    if (place % 2 == 0) {
      double[] values = example.dense();
      for (int i = 0; i < dimension; i++) {
        values[i] = 3 * random.nextGaussian();
      }
    } else {
      example.add(random.nextInt(dimension), random.nextGaussian());
      example.add(random.nextInt(dimension), random.nextGaussian());
    }
    example.label(place % 11 == 5 ? 7 : random.nextInt(2)); // 7 means nothing to a logistic loss
    example.weight(place % 5 == 0 ? 1e9 : 1);
    slot.status(RecordStatus.USED);
    return slot;
  }

  /** The slots of {@link #mixed(int, int)} from a place up to another. */
  public static List<Slot> mixed(int from, int to, int dimension) {
    List<Slot> slots = new ArrayList<>();
    for (int place = from; place < to; place++) {
      slots.add(mixed(place, dimension));
    }
    return slots;
  }

  /** Feeds slots and returns the rounds that they close. */
  public static List<ClosedRound> feed(ModelLearner learner, List<Slot> slots) {
    List<ClosedRound> rounds = new ArrayList<>();
    for (Slot slot : slots) {
      if (learner.fill(slot)) {
        rounds.add(learner.close());
      }
    }
    return rounds;
  }
}
