package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.mechanism.SampledSums;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a unit's participations in sums of secretly sampled slots cost, by the distribution of the
 * privacy loss (docs/privacy.md, "Sampled queries"). All figures err upwards only.
 *
 * <p>A participation costs some 200 ms to compute, and one more for every power of two of them.
 * Figures are kept, for all accountants of a process, since each plan makes several. Safe for use
 * by several threads.
 */
final class SampledLosses {
  /**
   * Below this many standard deviations of noise for a clip, sampling is left out of account: a sum
   * that a slot enters gives it away, and the grids would be too wide.
   */
  private static final double LEAST_MULTIPLIER = 1.0 / 32;

  /** The same for what is Gaussian beside. */
  private static final double LARGEST_MU = 64;

  private static final int ROUGH_POINTS = 1 << 10;
  private static final int MOST_KNOWN = 16;
  private static final int MOST_ANSWERS = 256;
  private static final Map<Of, SampledLosses> KNOWN = latest(MOST_KNOWN);

  private record Of(List<SampledSums> sums, double ratio, int points) {}

  /**
   * What is asked of the losses.
   *
   * @param participations of one unit
   * @param adjacency which change of a contribution is hidden
   * @param delta at least 0 and below 1
   * @param spentMu of a Gaussian mechanism beside, under either adjacency
   */
  record Composition(long participations, Adjacency adjacency, double delta, double spentMu) {}

  private final Of of;
  private final List<PrivacyLossDistribution> doubled = new ArrayList<>();
  private final Map<Composition, Double> answers = latest(MOST_ANSWERS);

  private SampledLosses(Of of) {
    this.of = of;
  }

  /**
   * The losses of participations.
   *
   * @param sums that one participation enters
   * @param ratio sigma over the clip: over how far a sum moves where a slot becomes empty
   */
  static SampledLosses of(List<SampledSums> sums, double ratio) {
    Of of = new Of(List.copyOf(sums), ratio, PrivacyLossGrid.POINTS);
    synchronized (KNOWN) {
      return KNOWN.computeIfAbsent(of, SampledLosses::new);
    }
  }

  /** The same on few points, and not kept: some 1 % further off, in a few ms. */
  static SampledLosses roughly(List<SampledSums> sums, double ratio) {
    return new SampledLosses(new Of(List.copyOf(sums), ratio, ROUGH_POINTS));
  }

  private static <K, V> Map<K, V> latest(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  /** The epsilon; infinite where the distribution of the loss says nothing. */
  synchronized double epsilon(Composition composition) {
    Double known = answers.get(composition);
    if (known == null) {
      known = compute(composition);
      answers.put(composition, known);
    }
    return known;
  }

  /**
   * Whether the published epsilon stays within one. Powers of two are tried first: what is refused
   * at one of them is not computed any further.
   */
  boolean isWithin(double epsilon, Composition composition) {
    for (long each = 1; each > 0 && each < composition.participations(); each *= 2) {
      Composition fewer = new Composition(
          each, composition.adjacency(), composition.delta(), composition.spentMu());
      if (!(GaussianDp.roundUp(epsilon(fewer)) <= epsilon)) {
        return false;
      }
    }
    return GaussianDp.roundUp(epsilon(composition)) <= epsilon;
  }

  private double compute(Composition composition) {
    if (composition.spentMu() > LARGEST_MU
        || of.sums().stream().anyMatch(each -> !(multiplier(each) >= LEAST_MULTIPLIER))) {
      return Double.POSITIVE_INFINITY;
    }
    PrivacyLossDistribution all = participations(composition.participations());
    if (composition.spentMu() > 0) {
      all = all.plus(PrivacyLossDistribution.of(new Gaussian(composition.spentMu())));
    }
    return composition.adjacency() == Adjacency.ZERO_OUT
        ? all.epsilon(composition.delta())
        : all.replacingEpsilon(composition.delta());
  }

  /** Down by more than product and quotient can gain. */
  private double multiplier(SampledSums each) {
    return of.ratio() * each.noise() * (1 - 0x1p-50);
  }

  private PrivacyLossDistribution participations(long number) {
    PrivacyLossDistribution sum = null;
    for (int i = 0; number >> i != 0; i++) {
      if ((number >> i & 1) == 1) {
        sum = sum == null ? doubled(i) : sum.plus(doubled(i));
      }
    }
    return sum == null ? once().times(0) : sum;
  }

  /** Two to a power of participations. */
  private PrivacyLossDistribution doubled(int times) {
    while (doubled.size() <= times) {
      PrivacyLossDistribution last = doubled.isEmpty() ? null : doubled.get(doubled.size() - 1);
      doubled.add(last == null ? once() : last.plus(last));
    }
    return doubled.get(times);
  }

  private PrivacyLossDistribution once() {
    PrivacyLossDistribution sum = null;
    for (SampledSums each : of.sums()) {
      PrivacyLossDistribution part = PrivacyLossDistribution.of(
              new SampledGaussian(each.rate(), multiplier(each)))
          .within(of.points())
          .times(each.sums());
      sum = sum == null ? part : sum.plus(part);
    }
    return sum;
  }
}
