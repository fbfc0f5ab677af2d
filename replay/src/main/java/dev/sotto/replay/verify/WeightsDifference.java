package dev.sotto.replay.verify;

import java.util.Locale;

/**
 * The first weight in which a published version and the replayed one differ. The replayed value has
 * not been published: inside the trust boundary.
 *
 * @param version of the model: the first published one from the differing round on that is still
 *     there
 * @param coordinate of the weight, from 0
 * @param differing number of weights that differ
 * @param dimensions the numbers of weights; where they differ, nothing else is compared
 */
public record WeightsDifference(
    long version,
    int coordinate,
    double published,
    double replayed,
    int differing,
    Dimensions dimensions) {
  /** The numbers of weights of the published and of the replayed version. */
  public record Dimensions(int published, int replayed) {}

  /** Compares two arrays of weights by their bits. */
  static WeightsDifference of(long version, double[] published, double[] replayed) {
    int first = -1;
    int differing = 0;
    if (published.length == replayed.length) {
      for (int i = 0; i < published.length; i++) {
        if (bits(published[i]) != bits(replayed[i])) {
          first = first < 0 ? i : first;
          differing++;
        }
      }
    }
    return new WeightsDifference(
        version,
        first,
        first < 0 ? 0 : published[first],
        first < 0 ? 0 : replayed[first],
        differing,
        new Dimensions(published.length, replayed.length));
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** Whether both versions have the same number of weights. */
  public boolean sameDimension() {
    return dimensions.published() == dimensions.replayed();
  }

  /** The bits of a value in hexadecimal and the shortest decimal that names it. */
  public static String text(double value) {
    return String.format(Locale.ROOT, "0x%016x (%s)", bits(value), value);
  }
}
