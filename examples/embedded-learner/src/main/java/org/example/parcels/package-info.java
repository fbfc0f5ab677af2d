/** An application with a learner inside: {@link org.example.parcels.ParcelsApp}. */
package org.example.parcels;
