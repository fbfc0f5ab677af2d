package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A recorded set whose records belong to units: to those of the file, or to units that are drawn.
 */
enum UnitSet {
  YEAR_A(QualitySet.YEAR_A, Units.RECORDED),
  YEAR_B(QualitySet.YEAR_B, Units.RECORDED),
  INCIDENTS(QualitySet.INCIDENTS, Units.RECORDED),
  A9A(QualitySet.A9A, Units.SCATTERED),
  BANK(QualitySet.BANK, Units.SCATTERED),
  SEA(QualitySet.SEA, Units.SESSIONS),
  ELEC2(QualitySet.ELEC2, Units.SESSIONS),
  BIKE(QualitySet.BIKE, Units.SCATTERED),
  HOUSING(QualitySet.HOUSING, Units.SESSIONS),
  FASHION(QualitySet.FASHION, Units.SESSIONS);

  private static final int RECORDS_PER_UNIT = 8;
  private static final int OPEN_SESSIONS = 32;
  private static final double SESSION_ENDS = 1.0 / 8;

  final QualitySet set;
  final Units units;

  /** Whose a record is. */
  enum Units {
    /** The file says so. */
    RECORDED,
    /** One unit for eight records; a unit's share is the inverse of its rank (Zipf). */
    SCATTERED,
    /** The same, in sessions of eight records on average, of which 32 are open at a time. */
    SESSIONS
  }

  UnitSet(QualitySet set, Units units) {
    this.set = set;
    this.units = units;
  }

  String label() {
    return set.label;
  }

  /** The unit of every record, in the order of the file. */
  int[] units(Path folder, int records) throws IOException {
    return units == Units.RECORDED ? recorded(folder) : drawn(records);
  }

  private int[] recorded(Path folder) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<byte[]> events = set.events(folder);
    int[] ids = new int[events.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = json.readTree(events.get(i)).get("key").asText().hashCode(); // no two keys share one
    }
    return ids;
  }

  private int[] drawn(int records) {
    SplittableRandom random = new SplittableRandom(31);
    double[] upTo = new double[records / RECORDS_PER_UNIT];
    double sum = 0;
    for (int rank = 0; rank < upTo.length; rank++) {
      sum += 1.0 / (rank + 1);
      upTo[rank] = sum;
    }
    int[] open = new int[units == Units.SESSIONS ? OPEN_SESSIONS : 1];
    for (int i = 0; i < open.length; i++) {
      open[i] = zipf(upTo, random);
    }
    int[] ids = new int[records];
    for (int i = 0; i < records; i++) {
      int session = random.nextInt(open.length);
      ids[i] = open[session];
      if (units == Units.SCATTERED || random.nextDouble() < SESSION_ENDS) {
        open[session] = zipf(upTo, random);
      }
    }
    return ids;
  }

  private static int zipf(double[] upTo, SplittableRandom random) {
    int found = Arrays.binarySearch(upTo, random.nextDouble(upTo[upTo.length - 1]));
    return found < 0 ? -found - 1 : found;
  }
}
