package dev.sotto.learner.mechanism;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The tuned parameter sets of {@link Mechanisms#BLT} (docs/blt.md, "Parameter sets and their
 * errors"; re-derived by {@code dev.sotto.learner.mechanism.tuning.BltTuner}). Privacy holds for
 * every set at every round; what differs is where the error is least.
 *
 * <p>An anytime set minimises, over all t from {@link #from} to its horizon, the worst ratio of its
 * error, charged for an endless stream, to that of a square-root mechanism made for t. A horizon
 * set minimises the largest error up to its horizon, charged at the horizon, for one participation.
 * A felt set minimises the noise that a learner feels on a stream as long as its horizon, charged
 * for an endless one (docs/experiments/horizon.md).
 */
public enum BltParameterSets {
  /** For every prefix length at once up to 2^20 rounds. */
  ANYTIME_2_20(
      4,
      20,
      BltParameters.of(
          new double[] {
            0.0008605900869286703,
            0.003498051769548938,
            0.01597891209091652,
            0.06590006699609843,
            0.4389612219050915
          },
          new double[] {
            2.108525882641889e-06,
            6.504157572055344e-05,
            0.0011850026630549515,
            0.01782182962554464,
            0.3406173917035155
          })),
  /** For every prefix length at once from 20 to 2^24 rounds. */
  ANYTIME_2_24(
      20,
      24,
      BltParameters.of(
          new double[] {
            0.0002470808927024247,
            0.001176703463312998,
            0.006184011766449236,
            0.029517778898224177,
            0.29423973139810283,
            0.17591825863213606
          },
          new double[] {
            1.3967442936483282e-07,
            5.4229081391344955e-06,
            0.00013041965525823233,
            0.002605125313776962,
            0.07275149095757287,
            0.593188834123527
          })),
  /** For every prefix length at once up to 2^30 rounds. */
  ANYTIME_2_30(
      4,
      30,
      BltParameters.of(
          new double[] {
            3.0429761490627448e-05,
            0.00021608871036235178,
            0.0016568130884343402,
            0.010989428718734998,
            0.0602922941508466,
            0.4468413362547301
          },
          new double[] {
            2.9691623714077085e-09,
            2.0322239049172026e-07,
            9.948092280047981e-06,
            0.00039034209548475786,
            0.010700225222072205,
            0.30199318432877686
          })),
  /** For the last prefix of 2^6 rounds. */
  HORIZON_2_6_X2(
      0,
      6,
      BltParameters.ofTheta(
          new double[] {0.17060803464507554, 0.31025613463662743},
          new double[] {0.9842298834538425, 0.7270934565986951})),
  /** For the last prefix of 2^6 rounds. */
  HORIZON_2_6_X3(
      0,
      6,
      BltParameters.ofTheta(
          new double[] {0.134322028184238, 0.18259547586606795, 0.18230477596566041},
          new double[] {0.9894268113703836, 0.8753638557881934, 0.46752385932026086})),
  /** For the last prefix of 2^10 rounds. */
  HORIZON_2_10_X2(
      0,
      10,
      BltParameters.ofTheta(
          new double[] {0.0666383892670582, 0.3192723243768301},
          new double[] {0.9981120684572607, 0.9088247322320375})),
  /** For the last prefix of 2^10 rounds. */
  HORIZON_2_10_X3(
      0,
      10,
      BltParameters.ofTheta(
          new double[] {0.044441027948591214, 0.12054499142601559, 0.3113897607160807},
          new double[] {0.998972854555085, 0.9785597526235734, 0.7432836259443386})),
  /** For the last prefix of 2^10 rounds. */
  HORIZON_2_10_X4(
      0,
      10,
      BltParameters.ofTheta(
          new double[] {
            0.03715650696256812, 0.06897157919876115, 0.16004947577925085, 0.23056250488494398
          },
          new double[] {
            0.9992293193568391, 0.9889009714488426, 0.9218360648736831, 0.5627957348800673
          })),
  /** For the last prefix of 2^14 rounds. */
  HORIZON_2_14_X3(
      0,
      14,
      BltParameters.ofTheta(
          new double[] {0.014940952184699792, 0.06811624001106481, 0.3295050072241072},
          new double[] {0.9998994753634801, 0.996034926831305, 0.8813944980222784})),
  /** For the last prefix of 2^14 rounds. */
  HORIZON_2_14_X4(
      0,
      14,
      BltParameters.ofTheta(
          new double[] {
            0.011257177431911626, 0.03205921466439963, 0.11631571435303686, 0.314470952970909
          },
          new double[] {
            0.9999345696153915, 0.9985841576593187, 0.9800342871931321, 0.7523680076231924
          })),
  /** For the last prefix of 2^14 rounds. */
  HORIZON_2_14_X5(
      0,
      14,
      BltParameters.ofTheta(
          new double[] {
            0.009741001928807969,
            0.02025545003569902,
            0.05599150031348016,
            0.151031236641379,
            0.25675676981540485
          },
          new double[] {
            0.9999480102501812,
            0.9991763989498955,
            0.9929922264904147,
            0.9433638100017452,
            0.6155265411668703
          })),
  /** For the last prefix of 2^20 rounds. */
  HORIZON_2_20_X4(
      0,
      20,
      BltParameters.ofTheta(
          new double[] {
            0.001990719712798866, 0.009998808229242076, 0.06075020982790225, 0.32465157531537864
          },
          new double[] {0.99999827696826, 0.9999217727791713, 0.9970968888657091, 0.8977463363999727
          })),
  /** For the last prefix of 2^20 rounds. */
  HORIZON_2_20_X5(
      0,
      20,
      BltParameters.ofTheta(
          new double[] {
            0.0015410263489597448,
            0.0052245027230588366,
            0.02261589019400865,
            0.09709214858381639,
            0.32916748745721797
          },
          new double[] {
            0.9999988229058743,
            0.9999689577190962,
            0.9994094708268909,
            0.9888859257820987,
            0.8092612856637098
          })),
  /** For the smallest noise that a learner feels within 2^8 rounds. */
  FELT_2_8(
      Kind.FELT,
      8,
      BltParameters.of(
          new double[] {0.05834495448097691, 0.18881937868927207, 0.24071783913028175},
          new double[] {0.008176443175143443, 0.07249564583946283, 0.4237092219474734})),
  /** For the smallest noise that a learner feels within 2^12 rounds. */
  FELT_2_12(
      Kind.FELT,
      12,
      BltParameters.of(
          new double[] {0.024933481596527717, 0.11731475595426018, 0.32557412077945264},
          new double[] {0.0014904563176877518, 0.0232231551716929, 0.24740559102374152})),
  /** For the smallest noise that a learner feels within 2^16 rounds. */
  FELT_2_16(
      Kind.FELT,
      16,
      BltParameters.of(
          new double[] {
            0.0031072893547546337, 0.02871813973293955, 0.12748836915642334, 0.3141360128203011
          },
          new double[] {
            5.946130645348036E-5, 0.002194141646319514, 0.029577571180428516, 0.2760529317681772
          })),
  /** For the smallest noise that a learner feels within 2^30 rounds. */
  FELT_2_30(
      Kind.FELT,
      30,
      BltParameters.of(
          new double[] {
            2.8577655524588944E-5,
            2.6352602623910446E-4,
            0.0020099745937259402,
            0.024274684401417564,
            0.11857839095952982,
            0.3237147281126022
          },
          new double[] {
            6.962147118458047E-9,
            5.144423641206203E-7,
            2.5498366170012848E-5,
            0.0017194586177360167,
            0.025122092020641543,
            0.2586542048447695
          }));

  /** What {@link Mechanisms#BLT} is made of. */
  public static final BltParameterSets DEFAULT = ANYTIME_2_30;

  /** What new configurations for a stream without an end state. */
  static final BltParameterSets ENDLESS = FELT_2_30;

  /** A horizon that no stream reaches. */
  private static final int ENDLESS_LOG2 = 30;

  /** What a set is best for. */
  private enum Kind {
    ANYTIME("anytime"),
    HORIZON("horizon"),
    FELT("felt");

    final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  private final Kind kind;
  private final int from;
  private final int horizonLog2;
  private final BltParameters parameters;

  BltParameterSets(int from, int horizonLog2, BltParameters parameters) {
    this(from > 0 ? Kind.ANYTIME : Kind.HORIZON, from, horizonLog2, parameters);
  }

  BltParameterSets(Kind kind, int horizonLog2, BltParameters parameters) {
    this(kind, 0, horizonLog2, parameters);
  }

  BltParameterSets(Kind kind, int from, int horizonLog2, BltParameters parameters) {
    this.kind = kind;
    this.from = from;
    this.horizonLog2 = horizonLog2;
    this.parameters = parameters;
  }

  /** The name in configurations: horizon, then for a horizon set the number of buffers. */
  public String configName() {
    String name = kind.word + "-2^" + horizonLog2;
    return kind == Kind.HORIZON ? name + "x" + parameters.buffers() : name;
  }

  /** The set of a configured name, or empty where there is none of that name. */
  public static Optional<BltParameterSets> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.configName().equals(name))
        .findFirst();
  }

  /** The set of these parameters, or empty where none has them. */
  static Optional<BltParameterSets> of(BltParameters parameters) {
    return Arrays.stream(values())
        .filter(set -> set.parameters.equals(parameters))
        .findFirst();
  }

  /**
   * The sets to compare for a horizon: the default, the one with less noise up to 2^24 rounds,
   * those made for it, and those with the shortest memory.
   */
  static List<BltParameterSets> candidates(long horizon) {
    Comparator<BltParameterSets> shorter = Comparator.comparingLong(BltParameterSets::horizon);
    Comparator<BltParameterSets> finer =
        Comparator.comparingInt(set -> -set.parameters().buffers());
    Stream<BltParameterSets> fitting = Arrays.stream(values())
        .filter(set -> set.kind == Kind.HORIZON && set.horizon() >= horizon)
        .min(shorter.thenComparing(finer))
        .stream();
    Stream<BltParameterSets> shortest = Arrays.stream(values())
        .filter(set -> set.kind == Kind.HORIZON)
        .min(shorter.thenComparing(finer.reversed()))
        .stream();
    return Stream.concat(Stream.of(DEFAULT, ANYTIME_2_24), Stream.concat(fitting, shortest))
        .distinct()
        .toList();
  }

  /** Up to how many rounds the set was tuned; it may go on beyond, at a price in accuracy. */
  public long horizon() {
    return 1L << horizonLog2;
  }

  /** Whether it serves all prefixes up to its horizon, at the price of an endless stream. */
  public boolean anytime() {
    return kind == Kind.ANYTIME;
  }

  /** Whether it is for a number of rounds that a stream may well pass. */
  boolean ends() {
    return !anytime() && horizonLog2 < ENDLESS_LOG2;
  }

  /** The first prefix length for which an anytime set was tuned; 0 of any other. */
  public int from() {
    return from;
  }

  /** The parameters. */
  public BltParameters parameters() {
    return parameters;
  }
}
