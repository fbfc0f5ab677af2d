package dev.sotto.app;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of the product, which are read once for all rules about them. */
final class OurClasses {
  static final JavaClasses ALL = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .withImportOption(each -> !each.contains("-tests.jar")) // those that modules hand on
      .importPackages("dev.sotto")
      .that(DescribedPredicate.describe(
          "are part of the product",
          each -> !each.getPackageName()
              .matches("dev\\.sotto\\.(benchmarks|test(broker|ing))(\\..*)?")));

  private OurClasses() {}
}
