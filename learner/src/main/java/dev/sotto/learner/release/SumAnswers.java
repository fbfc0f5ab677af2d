package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import java.util.Arrays;
import java.util.Optional;

/** Sums over the slots of a query, each under noise of its own. */
final class SumAnswers extends QueryAnswers {
  private static final String QUERY = "query";
  private static final String POINT = "query-point";

  private final Lattice lattice;
  private final double sigma;
  private final AnswerNoise noise;
  private final QuerySchedule schedule;
  private final long[] step;

  SumAnswers(Lattice lattice, double sigma, AnswerNoise noise) {
    this.lattice = lattice;
    this.sigma = sigma;
    this.noise = noise;
    this.schedule = noise.schedule();
    this.step =
        new long[Math.multiplyExact(lattice.dimension(), schedule.sampling().points())];
  }

  @Override
  void check(OpenSum sum, long query) {
    checkSlots(noise, sum, query);
    checkSum(sum, schedule.groups(), schedule.sampling().points());
  }

  @Override
  Optional<NoisySum> answer(OpenSum open, long query, NoiseRelease.Moment now) {
    return schedule.answers(query)
        ? Optional.of(fresh((GradientSum) open, query, now))
        : Optional.empty();
  }

  private NoisySum fresh(GradientSum sum, long query, NoiseRelease.Moment now) {
    Arrays.fill(step, 0);
    double ofNoise = sigma / lattice.unit() * noise.noise(query);
    addNoise(query, now.digest(), new KeyedNoise(now.key(), ofNoise));
    double perUnit = 1 / lattice.unit(); // a power of two: exact
    double[] exact = sum.released();
    for (int i = 0; i < step.length; i++) {
      step[i] += (long) (exact[i] * perUnit); // below 2^53 and 2^52: no overflow
    }
    double rate = schedule.sampling().rate();
    return NoisySum.ofQuery(now.round(), step, lattice.unit(), rate * (sum.room() / sum.groups()));
  }

  /** Every vector of a query has an address of its own. */
  private void addNoise(long query, byte[] digest, KeyedNoise drawn) {
    int points = schedule.sampling().points();
    if (points == 1) {
      drawn.add(digest, QUERY, query, 1, step);
      return;
    }
    long[] vector = new long[lattice.dimension()];
    for (int point = 0; point < points; point++) {
      Arrays.fill(vector, 0);
      drawn.add(digest, POINT, (query - 1) * points + point, 1, vector);
      System.arraycopy(vector, 0, step, point * vector.length, vector.length);
    }
  }
}
