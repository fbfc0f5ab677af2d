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
          }));

  /** What {@link Mechanisms#BLT} is made of. */
  public static final BltParameterSets DEFAULT = ANYTIME_2_30;

  private final int from;
  private final int horizonLog2;
  private final BltParameters parameters;

  BltParameterSets(int from, int horizonLog2, BltParameters parameters) {
    this.from = from;
    this.horizonLog2 = horizonLog2;
    this.parameters = parameters;
  }

  /** The name in configurations: horizon, then for a horizon set the number of buffers. */
  public String configName() {
    return anytime()
        ? "anytime-2^" + horizonLog2
        : "horizon-2^" + horizonLog2 + "x" + parameters.buffers();
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
        .filter(set -> !set.anytime() && set.horizon() >= horizon)
        .min(shorter.thenComparing(finer))
        .stream();
    Stream<BltParameterSets> shortest = Arrays.stream(values())
        .filter(set -> !set.anytime())
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
    return from > 0;
  }

  /** The first prefix length for which an anytime set was tuned; 0 of a horizon set. */
  public int from() {
    return from;
  }

  /** The parameters. */
  public BltParameters parameters() {
    return parameters;
  }
}
