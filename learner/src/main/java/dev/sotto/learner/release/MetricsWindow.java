package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.mechanism.PagedBytes;
import java.util.List;
import java.util.Optional;

/** The noisy sums of the metrics over the rounds of a window; no figures without metrics. */
final class MetricsWindow {
  private static final String PURPOSE = "metrics";

  private final Optional<MetricsNoise> metering;
  private final PrefixSum sums;

  private MetricsWindow(Optional<MetricsNoise> metering, PrefixSum sums) {
    this.metering = metering;
    this.sums = sums;
  }

  /** An empty one. */
  static MetricsWindow start(Optional<MetricsNoise> metering) {
    return new MetricsWindow(metering, new PrefixSum(figures(metering)));
  }

  /** One as it was stored. */
  static MetricsWindow resume(Optional<MetricsNoise> metering, PagedBytes stored) {
    return new MetricsWindow(metering, PrefixSum.of(stored, figures(metering)));
  }

  private static int figures(Optional<MetricsNoise> metering) {
    return metering.map(each -> each.lattice().dimension()).orElse(0);
  }

  /** Refuses figures that are not those of a full round. */
  void check(Optional<ClippedSum> figures) {
    if (figures.isPresent() != metering.isPresent()) {
      throw new IllegalArgumentException("metrics are released with a metering, and only then");
    }
    figures.ifPresent(each -> Releaser.checkFull(each, metering.get().lattice()));
  }

  /** What the running digest covers of a round's figures. */
  static void addTo(List<double[]> vectors, Optional<ClippedSum> figures) {
    figures.ifPresent(metrics -> vectors.add(metrics.sum));
  }

  /** Adds the figures of a round under fresh noise, and forgets them. */
  void add(Optional<ClippedSum> figures, NoiseRelease.Moment now) {
    figures.ifPresent(metrics -> {
      MetricsNoise noise = metering.get();
      double unit = noise.lattice().unit();
      long[] fresh = sums.beginRound();
      if (noise.sigma() > 0) {
        new KeyedNoise(now.key(), noise.sigma() / unit)
            .add(now.digest(), PURPOSE, now.round(), 1, fresh);
      }
      sums.addNoisy(metrics.sum, unit);
      metrics.clear();
    });
  }

  void clear() {
    sums.clear();
  }

  /** The noisy sums; none without metrics. */
  double[] sums() {
    double[] all = new double[figures(metering)];
    metering.ifPresent(each -> sums.toDoubles(all, each.lattice().unit(), 1));
    return all;
  }

  PagedBytes view(int pageBytes) {
    return sums.view(pageBytes);
  }
}
