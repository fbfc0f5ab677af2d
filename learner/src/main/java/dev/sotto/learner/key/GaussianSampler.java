package dev.sotto.learner.key;

/**
 * Standard normal draws by the ziggurat of Marsaglia and Tsang (2000) with 256 layers, 53 random
 * bits inside a layer and a full-precision tail.
 *
 * <p>Promises: inside a layer neighbouring values lie at most 2^-51 apart; the tail's logarithms
 * are fed by uniforms of 53 significant bits, so that it reaches beyond 36 standard deviations
 * without gaps wider than a double's own; the same words give the same draws on every machine.
 */
final class GaussianSampler {
  private static final int LAYERS = 256;
  static final double TAIL = 3.6541528853610088; // start of the tail: the right end of layer 1
  private static final double AREA =
      0.004928673233974655; // of every layer, and of base strip with tail

  private static final double[] WIDTH = new double[LAYERS + 1];
  private static final double[] HEIGHT = new double[LAYERS + 1];

  static {
    WIDTH[0] = AREA / density(TAIL);
    WIDTH[1] = TAIL;
    for (int i = 2; i < LAYERS; i++) {
      double before = WIDTH[i - 1];
      WIDTH[i] = StrictMath.sqrt(-2 * StrictMath.log(AREA / before + density(before)));
    }
    WIDTH[LAYERS] = 0;
    for (int i = 0; i <= LAYERS; i++) {
      HEIGHT[i] = density(WIDTH[i]);
    }
  }

  private GaussianSampler() {}

  private static double density(double x) {
    return StrictMath.exp(-0.5 * x * x);
  }

  /** How far the topmost layer's area is from the others', relatively: 0 but for rounding. */
  static double closure() {
    return Math.abs(WIDTH[LAYERS - 1] * (1 - HEIGHT[LAYERS - 1]) - AREA) / AREA;
  }

  /**
   * As many draws as are asked for, times a scale. Those that fall inside their layers, 99 of 100,
   * are taken from the buffer of the words.
   */
  static void fill(Keystream words, double scale, double[] into, int length) {
    for (int i = 0; i < length; i++) {
      byte[] buffer = words.buffer();
      int at = words.place();
      int end = Math.min(length, i + (buffer.length - at) / Long.BYTES);
      for (; i < end; i++, at += Long.BYTES) {
        long bits = Keystream.word(buffer, at);
        int layer = (int) bits & 0xff;
        double x = (bits >>> 11) * 0x1p-53 * WIDTH[layer];
        if (!(x < WIDTH[layer + 1])) {
          break;
        }
        into[i] = scale * signed(x, bits);
      }
      words.goOnAt(at);
      if (i < length) {
        into[i] = scale * next(words);
      }
    }
  }

  /** One draw. */
  static double next(Keystream words) {
    while (true) {
      long bits = words.nextLong();
      int layer = (int) bits & 0xff;
      double x = (bits >>> 11) * 0x1p-53 * WIDTH[layer];
      if (x < WIDTH[layer + 1]) {
        return signed(x, bits);
      }
      if (layer == 0) {
        x = tail(words);
      } else {
        double y = HEIGHT[layer] + words.nextUnit() * (HEIGHT[layer + 1] - HEIGHT[layer]);
        if (!(y < density(x))) {
          continue;
        }
      }
      return signed(x, bits);
    }
  }

  /** Without a branch, which nobody could predict. */
  private static double signed(double x, long bits) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(x) ^ (bits & 0x100) << 55);
  }

  /** A draw given that it is at least {@link #TAIL} (Marsaglia 1964). */
  static double tail(Keystream words) {
    while (true) {
      double over = -StrictMath.log(words.nextFineUnit()) / TAIL;
      double test = -StrictMath.log(words.nextFineUnit());
      if (test + test > over * over) {
        return TAIL + over;
      }
    }
  }
}
