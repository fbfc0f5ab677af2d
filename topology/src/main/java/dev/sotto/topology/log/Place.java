package dev.sotto.topology.log;

/**
 * Where a slot lies in what one trainer takes: in layouts direct and rounds an offset of the
 * partition that it reads, in layout ordered the number of offsets that were announced before it.
 * Places are numbers and not objects, since every record has one and none may cost an allocation;
 * whatever holds one is called a place, and never an offset.
 */
public final class Place {
  /** In place of one that is not there. */
  public static final long NONE = -1;

  private Place() {}

  /** Whether there is none. */
  public static boolean isNone(long place) {
    return place < 0;
  }

  /** The next place, at which a slot may lie or a hole. */
  public static long behind(long place) {
    return place + 1;
  }
}
